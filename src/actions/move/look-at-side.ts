import { CannotGoOn, need } from "../../base/fatal.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { ROLES } from "../../base/role.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { schemaProblem } from "../../fs-protocol/codec/schema-problem.ts";
import { leasePath } from "../../fs-protocol/home/home.ts";
import { PlaceJson, placePath } from "../../fs-protocol/home/place-json.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import type { Host } from "../../host/host.ts";
import type { HandoverFound } from "../../session/rules/handover.ts";
import type { Moved } from "../../session/state/fold-human.ts";
import { SessionDamaged } from "../../workspace/sessions.ts";
import type { HomeFileDigest } from "./compare-homes.ts";
import { digestHome } from "./digest-home.ts";
import { movedHomes, type OwnSide } from "./own-side.ts";
import { arrivedMoves } from "./parcel.ts";

/** What a process finds at its own side. */
export type FoundHere = Extract<HandoverFound, { readonly kind: "empty" | "home" }>;

/** What is found at a side, with the digests of its files. */
export interface SideLook<Found = HandoverFound> {
  readonly found: Found;
  readonly files: readonly HomeFileDigest[];
}

/**
 * Looks at the side at which this process runs, without taking any lease.
 *
 * @param others the files of the other side, as far as they are known
 */
export async function lookAtSide(
  host: Host,
  side: OwnSide,
  others: readonly HomeFileDigest[],
): Promise<SideLook<FoundHere>> {
  const found = readSide(host, side, await isAtWork(host, side));
  if (found.kind !== "home") return { found, files: [] };
  return { found, files: digestHome(host, side.home.directory, others) };
}

/** What is found at the side, for a process that knows whether others are at work there. */
export function readSide(
  host: Pick<Host, "files" | "directories">,
  side: OwnSide,
  isOthersAtWork: boolean,
): FoundHere {
  const { files } = host;
  const shared = arrivedMoves(host, side);
  // The first file that is put into a new home; without it, there is nothing that anybody could own.
  if (files.stat(side.home.humanLog) === undefined) return { kind: "empty", arrived: shared };
  const place = ownPlaceJson(host, side);
  const moves = movesIn(host, side);
  return { kind: "home", arrived: shared, moves, place, isAtWork: isOthersAtWork };
}

/** What `place.json` says of the home; undefined if there is none. */
export function ownPlaceJson(
  { files }: Pick<Host, "files">,
  { home }: OwnSide,
): PlaceJson | undefined {
  const path = placePath(home);
  const bytes = need(files.read(path));
  if (bytes === undefined) return undefined;
  const json = jsonOf(Buffer.from(bytes).toString("utf8"));
  const parsed = PlaceJson.safeParse(json);
  if (parsed.success) return parsed.data;
  const problem = json === undefined ? "it does not contain JSON" : schemaProblem(parsed.error);
  throw new CannotGoOn(SessionDamaged({ path, problem }));
}

function movesIn({ files }: Pick<Host, "files">, { home }: OwnSide): readonly Moved[] {
  const log = new LogFold({
    files,
    path: home.humanLog,
    schema: HumanRecord,
    empty: NO_MOVES,
    reduce: (moves, record) =>
      record.kind === "moved" ? [...moves, { to: record.to, id: record.id }] : moves,
  });
  return need(log.refresh());
}

const NO_MOVES: readonly Moved[] = [];

async function isAtWork({ files, locks }: Host, side: OwnSide): Promise<boolean> {
  const leases = movedHomes(files, side).flatMap((home) =>
    (["supervisor", ...ROLES] as const).map((holder) => leasePath(home, holder)),
  );
  for (const lease of leases) {
    if (await locks.isLeaseHeld(lease)) return true;
  }
  return false;
}
