import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { FRAME_BYTES_MAX, MIRROR_REQUEST_BYTES_MAX } from "../../base/limits.ts";
import type { Files } from "../../base/ports/files.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { shown } from "../../base/words/shown.ts";
import { homeAt } from "../../fs-protocol/home/home.ts";
import { ArrivingContent } from "../../git/lfs/arriving-content.ts";
import { placeRefs, takeBundle, type MirroredBranch } from "../../git/repository/mirror-branch.ts";
import { FrameTaker } from "../../remote/mirror/take-frames.ts";
import { isHandoverDue } from "../../session/rules/handover.ts";
import { tryAllLeases } from "../../workspace/session/session-leases.ts";
import { stateDirectory } from "../../workspace/state-directory.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { ownPlaceJson, readSide } from "./look-at-side.ts";
import { movedHomes, type OwnSide } from "./own-side.ts";
import { arrivalOf, filesIn, hasAllFiles, ParcelHead, wholeNote } from "./parcel.ts";

/** What was sent of a session did not arrive whole. */
export const ParcelDamaged = refusal(
  "parcel-damaged",
  EXIT.failure,
  ({ problem }: { readonly problem: string }) => [
    `The files of the session did not arrive as they were sent: ${shown(problem)}.`,
    "The session is where it was, and nothing of it is lost. Run the same command again.",
  ],
);

/**
 * Unpacks what another side packed beside the home, and takes the commits in it. The home is not touched. What arrived
 * of other moves is removed.
 *
 * @param path of the packed file, which is removed
 * @returns whether it was due
 */
export async function unpackHome(
  world: World,
  side: OwnSide,
  { move, path }: { readonly move: string; readonly path: string },
): Promise<boolean> {
  const homes = movedHomes(world.host.files, side);
  const unpacked = await tryAllLeases(world.host, homes, async (isAlone) => {
    const found = readSide(world.host, side, !isAlone);
    const step = { kind: "send", at: side.name, from: "", id: move } as const;
    if (!isAlone || !isHandoverDue(step, { ...side, found })) return false;
    await unpack(world, side, { move, path });
    return true;
  });
  need(world.host.files.remove(path));
  return need(unpacked);
}

async function unpack(
  world: World,
  side: OwnSide,
  { move, path }: { readonly move: string; readonly path: string },
): Promise<void> {
  const { host } = world;
  const arrival = arrivalOf(side, move);
  const directory = filesIn(arrival);
  need(host.directories.removeTree(arrival));
  need(host.files.makeDirectory(directory));
  const { head, bytes } = readHead(host.files, path);
  if (head.id !== move) throw damaged("they belong to another move");
  const git = gitContext(world);
  const of: MirroredBranch = {
    ...{ directory: side.repository, branch: head.branch, session: side.id },
  };
  const { repository, id } = side;
  const placed = ownPlaceJson(host, side);
  const state = placed?.state ?? stateDirectory(host.directories, world.env, { repository, id });
  const content = new ArrivingContent(git, { repository, state });
  const taker = new FrameTaker({
    ...{ host, home: homeAt(directory), scratch: arrival },
    onBundle: (bundle) => takeBundle(git, of, bundle),
    onContent: (pointer, path) => content.keep(pointer, path),
    onRefs: (refs) => placeRefs(git, of, refs),
    onBeat: () => undefined,
    onSame: () => undefined,
  });
  for (let at = bytes; ;) {
    const chunk = need(host.files.readChunk(path, at, FRAME_BYTES_MAX));
    if (chunk.length === 0) break;
    need(await taker.take(chunk));
    at += chunk.length;
  }
  taker.close();
  if (!hasAllFiles(host, directory, head)) throw damaged("a digest differs");
  need(host.files.replace(wholeNote(arrival), Buffer.from(`${JSON.stringify(head)}\n`)));
}

function damaged(problem: string): CannotGoOn {
  return new CannotGoOn(ParcelDamaged({ problem }));
}

function parsedHead(line: string): ParcelHead {
  const parsed = ParcelHead.safeParse(jsonOf(line));
  if (!parsed.success) throw damaged("their list is not as it should be");
  return parsed.data;
}

function readHead(
  files: Files,
  path: string,
): { readonly head: ParcelHead; readonly bytes: number } {
  let text = Buffer.alloc(0);
  for (;;) {
    const end = text.indexOf("\n");
    if (end >= 0) {
      return { head: parsedHead(text.subarray(0, end).toString("utf8")), bytes: end + 1 };
    }
    const chunk = need(files.readChunk(path, text.length, FRAME_BYTES_MAX));
    if (chunk.length === 0 || text.length > MIRROR_REQUEST_BYTES_MAX) {
      throw damaged("their list is cut off");
    }
    text = Buffer.concat([text, chunk]);
  }
}
