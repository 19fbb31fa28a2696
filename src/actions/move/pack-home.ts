import { randomUUID } from "node:crypto";
import { basename, join, relative } from "node:path";
import { need } from "../../base/fatal.ts";
import { CONFIG_CHARS_MAX, DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { BASE_TAGS_BYTES_MAX, MOVED_REFS_BYTES_MAX } from "../../git/refs/refs-limits.ts";
import { revisionNumber, type Home } from "../../fs-protocol/home/home.ts";
import { refsDirectory } from "../../fs-protocol/home/state-places.ts";
import { frozenPacks, frozenRefsFile, PACK_FILE } from "../../git/refs/frozen-refs.ts";
import { openHub } from "../../git/repository/hub.ts";
import { receiveFile } from "../../host/files/receive-file.ts";
import { sendOnce } from "../../remote/mirror/serve-mirror.ts";
import { isHandoverDue } from "../../session/rules/handover.ts";
import { tryAllLeases } from "../../workspace/session/session-leases.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { tellHeld } from "../close/held-clone.ts";
import { removeClones } from "../close/tear-down.ts";
import { frozenPrompts } from "../start/prompt-files.ts";
import { digestHome } from "./digest-home.ts";
import { readSide } from "./look-at-side.ts";
import { movedHomes, type OwnSide } from "./own-side.ts";
import type { ParcelHead } from "./parcel.ts";

/** The names of parcels that a killed process left. */
const PARCEL = /^\.?handover-.*$/u;

/**
 * Puts a home that may no longer be written into one file: all its files, the commits of the session, and its prompts.
 * What only the clones of the session hold, such as work that is not committed, is saved under rescue refs first, and
 * the clones are removed.
 *
 * @returns the absolute path of the file; undefined if the home may still be written, or others are at work there
 */
export async function packHome(
  world: World,
  side: OwnSide,
  move: string,
): Promise<string | undefined> {
  const homes = movedHomes(world.host.files, side);
  const packed = await tryAllLeases(world.host, homes, async (isAlone) => {
    const found = readSide(world.host, side, !isAlone);
    const step = { kind: "send", at: side.name, from: side.name, id: move } as const;
    const isFixed = found.kind === "home" && found.moves.at(-1)?.id === move;
    if (!isAlone || !isFixed || !isHandoverDue(step, { ...side, found })) return undefined;
    return pack(world, side, move);
  });
  return need(packed);
}

async function pack(world: World, side: OwnSide, move: string): Promise<string> {
  const { host } = world;
  const found = need(readSession(host.files, side.home));
  const { repository, branch, state } = found.session;
  need(host.files.makeDirectory(state));
  clearParcels(world, state);
  if (found.mirrors === undefined) await saveWork(world, found);
  const head: ParcelHead = {
    ...{ version: 1, id: move, branch },
    head: await openHub(gitContext(world), repository).head(branch),
    files: digestHome(host, side.home.directory),
    prompts: movedHomes(host.files, side).flatMap((home) => promptsOf(world, home, state)),
    refs: refsOf(world, found),
  };
  const path = join(state, `handover-${randomUUID()}`);
  const receiver = need(receiveFile(path));
  try {
    receiver.write(Buffer.from(`${JSON.stringify(head)}\n`));
    const send = (bytes: Uint8Array) => {
      receiver.write(bytes);
      return Promise.resolve();
    };
    await sendOnce(world, found, { request: { version: 1, have: [], contents: [] }, send });
    need(receiver.finish());
  } catch (thrown) {
    receiver.drop();
    throw thrown;
  }
  return path;
}

async function saveWork(world: World, found: FoundSession): Promise<void> {
  const { rescues, held } = await removeClones(world, found);
  tellHeld(world, held);
  for (const ref of rescues) world.tell(`Work that was on no branch is kept as ${ref}.`);
}

function clearParcels({ host }: World, state: string): void {
  const names = need(host.files.list(state)).filter((name) => PARCEL.test(name));
  for (const name of names) need(host.files.remove(join(state, name)));
}

function promptsOf({ host: { files } }: World, home: Home, state: string): ParcelHead["prompts"] {
  const name = basename(home.directory);
  const part = revisionNumber(name) === undefined ? "" : name;
  return ["templates", "reviewers"].flatMap((kind) => {
    const directory = join(frozenPrompts(join(state, part)), kind);
    const names = need(files.list(directory)).filter((one) => /^[^.].*\.md$/u.test(one));
    return names.flatMap((one) => {
      const limit = Math.max(DOCUMENT_BYTES_MAX, CONFIG_CHARS_MAX);
      const bytes = need(files.read(join(directory, one), limit));
      const path = join(part, "prompts", kind, one);
      return bytes === undefined ? [] : [{ path, base64: Buffer.from(bytes).toString("base64") }];
    });
  });
}

/** The frozen references and their packs; none if they are too large for one line, or there are none. */
function refsOf({ host: { files } }: World, { session }: FoundSession): ParcelHead["refs"] {
  const { state } = session;
  const directory = refsDirectory(session);
  const packs = need(files.list(frozenPacks({ directory }))).filter((name) => PACK_FILE.test(name));
  // The list comes last: where it is, all is there.
  const paths = packs.map((name) => join(frozenPacks({ directory }), name));
  const found = [...paths, frozenRefsFile({ directory })].flatMap((path) => {
    const bytes = need(files.read(path, BASE_TAGS_BYTES_MAX));
    return bytes === undefined ? [] : [{ path: relative(state, path), bytes }];
  });
  const sum = found.reduce((before, { bytes }) => before + bytes.length, 0);
  if (sum > MOVED_REFS_BYTES_MAX) return [];
  return found.map(({ path, bytes }) => ({ path, base64: Buffer.from(bytes).toString("base64") }));
}
