import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { expect, test } from "vitest";
import { z } from "zod";
import { bundledDependencies, bundledPackages } from "./bundled-packages.ts";
import { repositoryRoot, textOf } from "./repository.ts";
import { importsIn } from "./source-facts.ts";

const run = promisify(execFile);

/** Size of the compressed tarball, which each installation downloads. */
const PACKED_BYTES_MAX = 1_305_000;

const Packed = z.tuple([
  z.object({ size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);

/** What `npm pack` would create: the size of the tarball, and the paths in it. */
async function dryPack(): Promise<{ readonly bytes: number; readonly paths: readonly string[] }> {
  const argv = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout } = await run("npm", argv, { cwd: repositoryRoot });
  const [{ size, files }] = Packed.parse(JSON.parse(stdout));
  return { bytes: size, paths: files.map(({ path }) => path) };
}

/** The build's list of the packages in it. */
function licences(): string {
  return textOf("dist/THIRD-PARTY-LICENSES.txt");
}

test("the package contains the program, but not its source, its tests or pictures", async () => {
  const { paths } = await dryPack();
  expect(paths).toEqual(expect.arrayContaining(["dist/wisp.js", "LICENSE", "package.json"]));
  // By these, Claude Code and Codex take its folder for a marketplace with one plugin.
  expect(paths).toEqual(
    expect.arrayContaining([
      ...[".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"],
      ...["plugins/wisp/.claude-plugin/plugin.json", "plugins/wisp/.codex-plugin/plugin.json"],
      ...["plugins/wisp/.mcp.json", "plugins/wisp/skills/wisp/SKILL.md"],
    ]),
  );
  expect(paths.filter((path) => /^(?:src|test|bench|docs\/img|\.ci|\.cache)\//.test(path))).toEqual(
    [],
  );
});

test("the tarball is small and contains no source maps", async () => {
  const { bytes, paths } = await dryPack();
  expect(paths.filter((path) => path.endsWith(".map"))).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(PACKED_BYTES_MAX);
});

test("no dependency is a package that the bundle contains", () => {
  expect(bundledPackages(licences())).toEqual(expect.arrayContaining(["commander", "zod"]));
  expect(bundledDependencies(textOf("package.json"), licences())).toEqual([]);
});

test("finds a dependency on a package that the bundle contains", () => {
  const manifest = { dependencies: { "@agentclientprotocol/sdk": "2.4.0", unbundled: "1.0.0" } };
  expect(bundledDependencies(JSON.stringify(manifest), licences())).toEqual([
    "dependencies: @agentclientprotocol/sdk",
  ]);
  const other = { optionalDependencies: { zod: "4.4.3" }, peerDependencies: { rxjs: "7.8.2" } };
  expect(bundledDependencies(JSON.stringify(other), licences())).toEqual([
    "optionalDependencies: zod",
    "peerDependencies: rxjs",
  ]);
});

test("publint reports no problems of the package", async () => {
  const { paths } = await dryPack();
  const files = paths.map(async (path) => ({
    name: `package/${path}`,
    data: await readFile(join(repositoryRoot, path)),
  }));
  const pack = { files: await Promise.all(files) };
  const { messages } = await publint({ pack, pkgDir: "package", strict: true });
  expect(messages).toEqual([]);
});

test("the program is executable and has the licences of the bundled packages", async () => {
  const program = await stat(join(repositoryRoot, "dist/wisp.js"));
  expect(program.mode & 0o111).toBe(0o111);
  expect(licences()).toMatch(/^commander \S+ \(MIT\)$/m);
});

test("the program imports nothing but its own chunks and Node", async () => {
  const names = await readdir(join(repositoryRoot, "dist"));
  const chunks = names.filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(
    chunks.map((name) => readFile(join(repositoryRoot, "dist", name), "utf8")),
  );
  const foreign = texts
    .flatMap(importsIn)
    .filter((specifier) => !specifier.startsWith("./") && !isBuiltin(specifier));
  expect(foreign).toEqual([]);
});

test("V8 can store each chunk in one byte per character", async () => {
  const folder = join(repositoryRoot, "dist");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const wide = names.filter((name) => /[^\0-\u007f]/u.test(textOf(join("dist", name))));
  expect(wide).toEqual([]);
});

test("roles and the supervisor load few files, and nothing that they may never need", async () => {
  const folder = join(repositoryRoot, "dist");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const texts = new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
    ),
  );
  for (const start of ["plannerMain", "builderMain", "reviewerMain", "testerMain", "supervise"]) {
    const first = names.filter((name) => isExportedBy(texts.get(name), start));
    const loaded = loadedWith(first, texts);
    expect(first).toHaveLength(1);
    expect(loaded.size).toBeLessThanOrEqual(16);
    const text = [...loaded].map((name) => texts.get(name)).join("");
    expect(text).not.toMatch(/YAMLParseError/u);
  }
});

function isExportedBy(text: string | undefined, name: string): boolean {
  return text?.includes(`exports.${name}=`) ?? false;
}

/** These chunks and everything that they load at once, directly or not. */
function loadedWith(
  chunks: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const loaded = new Set(chunks);
  for (const chunk of loaded) {
    // What is required behind an arrow is loaded only when it is needed.
    for (const [, name = ""] of (texts.get(chunk) ?? "").matchAll(
      /(?<!=>)require\(`\.\/([^`]+)`\)/gu,
    )) {
      loaded.add(name);
    }
  }
  return loaded;
}
