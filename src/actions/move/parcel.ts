import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { need } from "../../base/fatal.ts";
import { MIRROR_REQUEST_BYTES_MAX } from "../../base/limits.ts";
import { Oid } from "../../base/oid.ts";
import { NonEmpty } from "../../base/plain-values.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { Host } from "../../host/host.ts";
import { MirrorPath, Sha256 } from "../../remote/mirror/frame.ts";
import { sessionsDirectory } from "../../workspace/sessions.ts";
import type { HomeFileDigest } from "./compare-homes.ts";
import { digestHome } from "./digest-home.ts";
import type { OwnSide } from "./own-side.ts";

/** A file of a home, as one side tells it to the other. */
export const SentDigest = z.object({
  path: MirrorPath,
  bytes: z.int().min(0),
  sha256: Sha256,
  prefix: Sha256.optional(),
});

/** The first line of what one side sends to the other; everything else follows as frames of a mirror. */
export const ParcelHead = lateObject(() => ({
  version: z.literal(1),
  /** Names the move. */
  id: NonEmpty,
  branch: NonEmpty,
  /** Where the session branch is. Absent: there is none. */
  head: Oid.optional(),
  files: z.array(SentDigest).readonly(),
  /** The prompts with which the session and its revisions began, by their paths below the state directory. */
  prompts: z.array(
    z.object({
      path: z
        .string()
        .regex(/^(?:revision-[1-9]\d{0,5}\/)?prompts\/(?:templates|reviewers)\/[^./][^/]*\.md$/u),
      base64: z.string(),
    }),
  ),
  /** The references with which the session began, in the same way, those that are needed first. Absent: they are found anew. */
  refs: z
    .array(
      z.object({
        path: z.string().regex(/^refs\/(?:packed-refs|pack\/pack-[0-9a-f]+\.(?:pack|rev|idx))$/u),
        base64: z.string(),
      }),
    )
    .optional(),
}));
export type ParcelHead = z.infer<typeof ParcelHead>;

/** What was sent to a side, unpacked beside its home. */
export interface Arrived {
  readonly head: ParcelHead;
  /** Where the files are, by their paths in the home. */
  readonly directory: string;
}

type Disk = Pick<Host, "files" | "directories">;

/** Where everything is put that arrives for a session, beside its home. The leading dot says that it is none. */
function arrivals({ repository, id }: OwnSide): string {
  return join(sessionsDirectory(repository), `.arriving-${id}`);
}

/** Where that of one move is put. Its id was written elsewhere, and need not be a good name. */
export function arrivalOf(side: OwnSide, move: string): string {
  return join(arrivals(side), createHash("sha256").update(move).digest("hex").slice(0, 32));
}

/** The files of a parcel, and the note that they are all there. */
export function filesIn(arrival: string): string {
  return join(arrival, "files");
}

/** Where it is noted that a parcel is whole. */
export function wholeNote(arrival: string): string {
  return join(arrival, "parcel.json");
}

/** What arrived of a move; undefined if it is not whole, or was damaged since. */
export function arrived(host: Disk, side: OwnSide, move: string): Arrived | undefined {
  const found = readArrival(host, arrivalOf(side, move));
  return found?.head.id === move ? found : undefined;
}

/** The moves of which everything arrived. */
export function arrivedMoves(host: Disk, side: OwnSide): readonly string[] {
  const directory = arrivals(side);
  return need(host.files.list(directory)).flatMap((name) => {
    const found = readArrival(host, join(directory, name));
    return found === undefined ? [] : [found.head.id];
  });
}

/** Removes what arrived for a session, of whatever move. */
export function clearArrivals({ directories }: Pick<Host, "directories">, side: OwnSide): void {
  need(directories.removeTree(arrivals(side)));
}

function readArrival(host: Disk, arrival: string): Arrived | undefined {
  const read = host.files.read(wholeNote(arrival), MIRROR_REQUEST_BYTES_MAX);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  const parsed = ParcelHead.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const directory = filesIn(arrival);
  return hasAllFiles(host, directory, parsed.data) ? { head: parsed.data, directory } : undefined;
}

/** Whether all files of a parcel are in a directory, with their digests. */
export function hasAllFiles(host: Disk, directory: string, { files }: ParcelHead): boolean {
  const there = new Map(digestHome(host, directory).map((file) => [file.path, file]));
  const isThere = ({ path, bytes, sha256 }: HomeFileDigest) => {
    const file = there.get(path);
    return file?.bytes === bytes && file.sha256 === sha256;
  };
  return there.size === files.length && files.every(isThere);
}
