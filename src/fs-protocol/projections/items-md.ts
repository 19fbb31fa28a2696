import { z } from "zod";
import { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { badLine, type BadLine } from "../codec/bad-line.ts";
import { Level } from "../records/finding.ts";
import { decodeKeyPart, decodeName, encodeKeyPart, encodeName } from "../tasks/milestone-name.ts";

const id = z.string().min(1);
/** The key of the unit that wrote the line, or `human:<i>` for record `i` of human.log. */
const by = z.string().regex(/^\S+$/);

/**
 * One line of `REVIEWS.md` or `BUGS.md`: a finding or bug changed its state. The first word is its
 * new state, the second its id, so the last line about an id tells whether it is open.
 *
 * ```
 * OPEN COR-7f3a91 blocking src/parse.js:12 The last field is dropped [review:Parsing:<sha>]
 * REOPENED COR-7f3a91 attempt 1 at <sha> [verify:COR-7f3a91:<sha>:1]
 * UNJUDGED COR-7f3a91 attempt 2 at <sha> [verify:COR-7f3a91:<sha>:2]
 * CLOSED COR-7f3a91 attempt 3 at <sha> [verify:COR-7f3a91:<sha>:3]
 * DISMISSED COR-7f3a91 [human:3]
 * DISMISSED COR-7f3a91 attempt 3 at <sha> [verify:COR-7f3a91:<sha>:3]
 * ```
 *
 * OPEN, REOPENED and UNJUDGED (its opener gave up judging a fix) are open; CLOSED and DISMISSED are
 * not. DISMISSED with an attempt: judging a fix did not change that a person had dismissed the
 * item.
 */
export const ItemLine = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("opened"),
    id,
    level: Level,
    file: z.string().min(1).optional(),
    line: z.int().positive().optional(),
    brief: z.string().min(1),
    by,
  }),
  z.object({
    kind: z.literal("judged"),
    state: z.enum(["REOPENED", "UNJUDGED", "CLOSED", "DISMISSED"]),
    id,
    attempt: z.int().nonnegative(),
    sha: Oid,
    by,
  }),
  z.object({ kind: z.literal("dismissed"), id, by }),
]);
export type ItemLine = z.infer<typeof ItemLine>;

/** Encodes one line, newline included. */
export function encodeItem(line: ItemLine): string {
  const key = encodeKeyPart(line.id);
  switch (line.kind) {
    case "opened":
      return `OPEN ${key} ${line.level} ${encodePlace(line)} ${encodeName(line.brief)} [${line.by}]\n`;
    case "judged":
      return `${line.state} ${key} attempt ${String(line.attempt)} at ${line.sha} [${line.by}]\n`;
    case "dismissed":
      return `DISMISSED ${key} [${line.by}]\n`;
  }
}

/** `path:12`, `path`, or `-` for an item without a file. */
function encodePlace(place: {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}): string {
  if (place.file === undefined) return "-";
  const file = place.file === "-" ? "%2D" : encodeKeyPart(place.file);
  return place.line === undefined ? file : `${file}:${String(place.line)}`;
}

// The last bracket after a space opens the key, which contains no white space; briefs may contain
// anything.
const OPENED = /^OPEN (\S+) (\S+) (\S+) (.+) \[(\S+)\]$/u;
const JUDGED = /^([A-Z]+) (\S+) attempt (\d{1,15}) at ([0-9a-f]+) \[(\S+)\]$/u;
const DISMISSED = /^DISMISSED (\S+) \[(\S+)\]$/u;

/** Decodes one line without its newline. Everything else in such a file fails. */
export function decodeItem(line: string): Result<ItemLine, BadLine> {
  const parsed = ItemLine.safeParse(fieldsOf(line));
  return parsed.success ? ok(parsed.data) : badLine("it is not about a finding or bug");
}

function fieldsOf(line: string): object | undefined {
  const opened = OPENED.exec(line);
  if (opened !== null) {
    const [, key = "", level, place = "", brief = "", unit] = opened;
    const fields = { kind: "opened", id: decodeKeyPart(key), level, brief: decodeName(brief) };
    return { ...fields, ...decodePlace(place), by: unit };
  }
  const judged = JUDGED.exec(line);
  if (judged !== null) {
    const [, state, key = "", attempt, sha, unit] = judged;
    const subject = { id: decodeKeyPart(key), attempt: Number(attempt), sha };
    return { kind: "judged", state, ...subject, by: unit };
  }
  const dismissed = DISMISSED.exec(line);
  if (dismissed === null) return undefined;
  const [, key = "", unit] = dismissed;
  return { kind: "dismissed", id: decodeKeyPart(key), by: unit };
}

function decodePlace(place: string): object {
  if (place === "-") return {};
  const [path = "", line, ...more] = place.split(":");
  // The schema rejects an empty file.
  if (more.length > 0) return { file: "" };
  const file = decodeKeyPart(path) ?? "";
  return line === undefined ? { file } : { file, line: /^\d{1,9}$/.test(line) ? Number(line) : 0 };
}
