import { join } from "node:path";
import { explain } from "../../base/explain.ts";
import { shown } from "../../base/words/shown.ts";
import type { MirroredSession } from "../../remote/follow/mirrored-session.ts";
import type { World } from "../../workspace/world.ts";

/** The options by which a review has the work changed. */
const REQUESTS = ["--request-revision", "--comment"];

/** `locks/checkpoint.json` in a mirror: the newest checkpoint that was made before a revision, for a person who looks. */
interface CheckpointNote {
  readonly version: 1;
  readonly executor: string;
  /** The executor's own name for the place. */
  readonly place: string;
  /** As the executor names it. */
  readonly checkpoint: string;
  readonly comment: string;
  /** When it was made, in ISO 8601. */
  readonly time: string;
}

/**
 * Before a command that makes a revision goes to the place of a session: keeps the files of the place as they are, if its
 * executor can, says how the checkpoint is called, and notes it. Does nothing before other commands. That none could be
 * made, or noted, is told; the command goes on.
 *
 * @param words the words after `wisp`
 */
export async function checkpointBefore(
  world: Pick<World, "tell"> & {
    readonly host: Pick<World["host"], "files"> & {
      readonly clock: Pick<World["host"]["clock"], "nowMs">;
    };
  },
  { id, home, executor, place }: Pick<MirroredSession, "id" | "home" | "executor" | "place">,
  words: readonly string[],
): Promise<void> {
  if (executor.checkpoint === undefined || !makesRevision(words)) return;
  const { tell, host } = world;
  const comment = `wisp: ${id}, before a revision`;
  const made = await executor.checkpoint(place, comment);
  if (!made.ok) {
    const why = explain(made.failure).message;
    tell(`No checkpoint of the place was made, and the revision goes on without: ${why}`);
    return;
  }
  const checkpoint = made.value;
  tell(
    `Checkpoint ${shown(checkpoint)} of the place was made: to go back to ${id} before this revision, restore it ` +
      `with the tools of ${shown(executor.name)}, at ${shown(place.id)} (docs/EXECUTORS.md).`,
  );
  const time = new Date(host.clock.nowMs()).toISOString();
  const of = { executor: executor.name, place: place.id };
  const note: CheckpointNote = { version: 1, ...of, checkpoint, comment, time };
  const bytes = Buffer.from(`${JSON.stringify(note, undefined, 2)}\n`);
  const noted = host.files.replace(join(home.locks, "checkpoint.json"), bytes);
  if (!noted.ok) tell(explain(noted.failure).message);
}

/** Whether a command makes a revision; without knowing its options any better than to keep a checkpoint too many. */
function makesRevision(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const [name, ...options] = end < 0 ? words : words.slice(0, end);
  if (options.includes("--dry-run")) return false;
  const requests = options.some((option) => REQUESTS.includes(option.split("=", 1)[0] ?? ""));
  return name === "revise" || (name === "review" && requests);
}
