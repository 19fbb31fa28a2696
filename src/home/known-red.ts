import { dirname, join } from "node:path";
import { z } from "zod";
import { KNOWN_RED_MAX } from "../base/look-limits.ts";
import type { Files } from "../base/ports/files.ts";
import type { RedBasePolicy } from "../fs-protocol/home/policy.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import type { SessionState } from "../session/state/session-state.ts";

/** One acceptance of a red base by a person, as a line of JSON. */
const Accepted = z.object({ session: z.string(), names: z.array(z.string().min(1)) });

/** A longer file is not read: the names in it are asked about again. */
const KNOWN_RED_BYTES_MAX = 8 * 1024 * 1024;

/** The file in which the red tests that a person accepted add up, in the folder of the repository's sessions. */
export function knownRedPath(folder: string): string {
  return join(folder, ".known-red.jsonl");
}

/** Where a repository's accepted names are. */
export interface RememberedAt {
  readonly files: Pick<Files, "read">;
  /** That of the repository's sessions, outside the checkout. */
  readonly folder: string;
}

/**
 * The names of tests whose failure a person accepted in earlier sessions of a repository, each once, oldest first. Lines
 * that cannot be read are left out.
 */
export function readKnownRed({ files, folder }: RememberedAt): readonly string[] {
  const read = files.read(knownRedPath(folder), KNOWN_RED_BYTES_MAX);
  if (!read.ok || read.value === undefined) return [];
  const lines = Buffer.from(read.value).toString("utf8").split("\n");
  const names = lines.flatMap((line) => parsedNames(line));
  return [...new Set(names)].slice(0, KNOWN_RED_MAX);
}

function parsedNames(line: string): readonly string[] {
  if (line === "") return [];
  try {
    return Accepted.safeParse(JSON.parse(line)).data?.names ?? [];
  } catch {
    return [];
  }
}

/**
 * Adds the names that a person accepted. Without a sandbox nothing is remembered, since an engine could write to the file.
 * A failure to write it is not one of the session: the person is asked again the next time.
 */
export function rememberKnownRed(
  files: Pick<Files, "append">,
  { id, state, parent, sandbox }: Pick<SessionJson, "id" | "state" | "parent" | "sandbox">,
  names: readonly string[],
): void {
  if (!isConfined(sandbox) || names.length === 0) return;
  const line = JSON.stringify({ session: id, names: [...names] } satisfies z.infer<
    typeof Accepted
  >);
  files.append(knownRedPath(dirname(parent?.state ?? state)), Buffer.from(`${line}\n`));
}

/** Whether engines of such a session can write only where they should. */
function isConfined(sandbox: SessionJson["sandbox"]): boolean {
  return sandbox !== undefined && sandbox.kind !== "none";
}

/** What a person said of a red base in the settings, on the command line and in earlier sessions. */
export function redBasePolicy(
  at: RememberedAt,
  {
    knownRed,
    isAccepted,
    sandbox,
  }: Pick<SessionJson, "sandbox"> & {
    readonly knownRed: readonly string[];
    readonly isAccepted: boolean;
  },
): RedBasePolicy {
  const remembered = isConfined(sandbox) ? readKnownRed(at) : [];
  return {
    ...(isAccepted ? { accept: true as const } : {}),
    ...(knownRed.length === 0 ? {} : { known: [...knownRed] }),
    ...(remembered.length === 0 ? {} : { remembered: [...remembered] }),
  };
}

/**
 * The same for a revision: as for its parent, with the tests that a person accepted at the bases of the parent and of its
 * earlier revisions.
 */
export function revisedRedBase(
  at: RememberedAt,
  { policy: { redBase = {} }, sandbox }: Pick<SessionJson, "policy" | "sandbox">,
  family: readonly { readonly state: Pick<SessionState, "builder"> }[],
): RedBasePolicy {
  const known = isConfined(sandbox) ? readKnownRed(at) : [];
  const accepted = family.flatMap(({ state: { builder } }) =>
    builder.baseOutcome?.kind === "accepted" ? (builder.baseline?.failing ?? []) : [],
  );
  const all = [...new Set([...(redBase.remembered ?? []), ...known, ...accepted])];
  const remembered = all.slice(-KNOWN_RED_MAX);
  return { ...redBase, ...(remembered.length === 0 ? {} : { remembered }) };
}
