import { createHash } from "node:crypto";
import { join } from "node:path";
import type { MountFacts } from "./mount-facts.ts";
import { bytesOf } from "./world.ts";

/**
 * The files of a clone whose contents are in its repository anyway. Hiding them would protect nothing, because the
 * history contains them, and git would commit them as deleted. Only contents count, because an engine may have
 * changed what the clone records about its files (its index, its HEAD).
 *
 * @param paths relative to the clone
 */
export function knownContents(facts: MountFacts, paths: readonly string[]): ReadonlySet<string> {
  const { world, places, confinement } = facts;
  const { cwd } = confinement.command;
  const named = paths.flatMap((path) => {
    const bytes = bytesOf(world, join(cwd, path));
    return bytes === undefined ? [] : [{ path, ids: idsOf(bytes) }];
  });
  const loose = named.filter(({ ids }) => ids.some((id) => isLoose(facts, cwd, id)));
  const others = named.filter((one) => !loose.includes(one));
  const asked = others.flatMap(({ ids }) => ids);
  const held = asked.length === 0 ? new Set<string>() : world.blobsIn(places.repository, asked);
  const inHub = others.filter(({ ids }) => ids.some((id) => held.has(id)));
  return new Set([...loose, ...inHub].map(({ path }) => path));
}

/** The ids that git would give the content, for both hashes that a repository may use. */
function idsOf(bytes: Buffer): readonly string[] {
  const head = `blob ${String(bytes.length)}\0`;
  return ["sha1", "sha256"].map((hash) =>
    createHash(hash).update(head).update(bytes).digest("hex"),
  );
}

/** Whether the clone has the object as a file. It cannot be forged, because its name is a hash of its content. */
function isLoose({ world }: MountFacts, clone: string, id: string): boolean {
  const path = join(clone, ".git", "objects", id.slice(0, 2), id.slice(2));
  return world.tree.kindOf(path) === "file";
}
