import { dirname } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Executor, Place, PlaceWishes } from "../../base/ports/executor.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { PlaceJson, placePath } from "../../fs-protocol/home/place-json.ts";
import { openExecutor } from "../../remote/open-executor.ts";
import { tellingExecutor } from "../../remote/telling-executor.ts";
import { repositoryState } from "../../workspace/state-directory.ts";
import type { StartingHome } from "../../workspace/starting-note.ts";
import type { World } from "../../workspace/world.ts";

/**
 * Gives up a start on another machine that has made no session: removes the place with all that it holds, and what was
 * noted of it here. Run again, it does what a killed run left undone.
 */
export async function abandonStart(
  world: World,
  { home, note, repository }: StartingHome,
): Promise<void> {
  const { files, directories } = world.host;
  const opened = need(await openExecutor(world, note.executor));
  const executor = tellingExecutor(world, opened.executor);
  const text = Buffer.from(need(files.read(placePath(home))) ?? []).toString("utf8");
  const placed = PlaceJson.safeParse(jsonOf(text)).data;
  const known =
    placed?.mirrors ?? (await foundByKey(executor, { ...opened.wishes, key: note.key }));
  need(await executor.destroy(known));
  // What a file says is believed only if it is a folder for sessions of this repository.
  const isOwn =
    placed !== undefined && dirname(placed.state) === repositoryState(world.env, repository);
  if (isOwn) need(directories.removeTree(placed.state));
  need(directories.removeTree(home.directory));
}

/** A place that was perhaps made is found only by making it. */
async function foundByKey(executor: Executor, wishes: PlaceWishes): Promise<Place> {
  return need(await executor.create(wishes));
}
