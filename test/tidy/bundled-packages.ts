import { z } from "zod";

const Names = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
});

/** Names of the packages whose modules are in a build, by the `THIRD-PARTY-LICENSES.txt` that it wrote of itself. */
export function bundledPackages(licences: string): readonly string[] {
  return [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \(.+\)$/gmu)].map(([, name = ""]) => name);
}

/**
 * Dependencies of a manifest that the bundle contains, as `kind: name`. Such a package would be downloaded but
 * never loaded.
 */
export function bundledDependencies(manifest: string, licences: string): readonly string[] {
  const bundled = new Set(bundledPackages(licences));
  return Object.entries(Manifest.parse(JSON.parse(manifest))).flatMap(([kind, names]) =>
    Object.keys(names)
      .filter((name) => bundled.has(name))
      .map((name) => `${kind}: ${name}`),
  );
}
