import { join, basename } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import type { Executor, Place, PlaceWishes } from "../../base/ports/executor.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import { PlaceJson, placePath } from "../../fs-protocol/home/place-json.ts";
import { knownProgram } from "../../remote/known-program.ts";
import { openExecutor } from "../../remote/open-executor.ts";
import { tellingExecutor } from "../../remote/telling-executor.ts";
import { repositoryState } from "../../workspace/state-directory.ts";
import type { StartingHome } from "../../workspace/starting-note.ts";
import type { World } from "../../workspace/world.ts";
import { askSide } from "../move/ask-side.ts";

/** A start cannot be given up: the session is there already, or the note of the start may not be this repository's. */
export const StartStays = refusal(
  "start-stays",
  EXIT.failure,
  ({ id, why }: { readonly id: string; readonly why: "there" | "unknown" }) => [
    why === "there"
      ? `${shown(id)} has been started there; its files have only not arrived here yet. Nothing was removed.`
      : `The start of ${shown(id)} was noted by an older wisp, so it is not certain that it belongs to this repository. Nothing was removed.`,
    "The same `wisp start` goes on with it. To see all starts:",
    "wisp list --all",
  ],
);

/**
 * Gives up a start on another machine that has made no session: removes the place with all that it holds, and what was
 * noted of it here. Run again, it does what a killed run left undone. The files of a repository may have been planted: what
 * is removed is found by the executor under the key of the start, and never at a path that they name.
 */
export async function abandonStart(
  world: World,
  { id, home, note, repository }: StartingHome,
): Promise<void> {
  const { files, directories } = world.host;
  if (note.repository !== repository) throw new CannotGoOn(StartStays({ id, why: "unknown" }));
  const opened = need(await openExecutor(world, note.executor));
  const executor = tellingExecutor(world, opened.executor);
  const place = await foundByKey(executor, { ...opened.wishes, key: note.key });
  const state = stateOf(world, { home, repository });
  const program = state === undefined ? undefined : knownProgram(files, state);
  if (program?.repository === join(place.root, "repository")) {
    const side = { executor, place, program, id };
    const answer = await askSide(world, side, { kind: "look", files: [] });
    const isThere = answer?.kind === "looked" && answer.found.kind === "home";
    if (answer === undefined || isThere) throw new CannotGoOn(StartStays({ id, why: "there" }));
  }
  need(await executor.destroy(place));
  if (state !== undefined) need(directories.removeTree(state));
  need(directories.removeTree(home.directory));
}

/** The folder of the start in the state directory; undefined if the home names none, or another one. */
function stateOf(
  { host: { files }, env }: World,
  { home, repository }: Pick<StartingHome, "home" | "repository">,
): string | undefined {
  const text = Buffer.from(need(files.read(placePath(home))) ?? []).toString("utf8");
  const state = PlaceJson.safeParse(jsonOf(text)).data?.state;
  if (state === undefined) return undefined;
  const name = basename(state);
  const isOwn = !name.startsWith(".") && join(repositoryState(env, repository), name) === state;
  return isOwn ? state : undefined;
}

/** A place that was perhaps made is found by making it: that makes nothing twice. */
async function foundByKey(executor: Executor, wishes: PlaceWishes): Promise<Place> {
  return need(await executor.create(wishes));
}
