import { PLACE_VARIABLE } from "../../base/ports/executor.ts";
import type { World } from "../../workspace/world.ts";

/** A clone that stays, because it holds what wisp cannot save. */
export interface HeldClone {
  /** Its top, an absolute path on its machine. */
  readonly directory: string;
  /** What it holds, in words; never empty. */
  readonly what: readonly string[];
}

/** Sentences on why a clone of this machine stays, and on how it goes. */
export function heldHere({ directory, what }: HeldClone): string {
  const why = `${directory} stays, because it holds what wisp cannot save: ${what.join("; ")}.`;
  return `${why} Take it from there; \`wisp prune --force\` then removes it.`;
}

/** Names the clones that stay here. A process at a place stays silent: the command that asked it names another way out. */
export function tellHeld(
  { env, tell }: Pick<World, "env" | "tell">,
  held: readonly HeldClone[],
): void {
  if (env[PLACE_VARIABLE] === undefined) held.map(heldHere).forEach(tell);
}
