import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX, RANGE_DIFF_BYTES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, Clone } from "../../base/ports/repo.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { parentHome, type Home } from "../../fs-protocol/home/home.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { Ports } from "../role-context.ts";
import { RANGE_FILE, type TurnFile } from "./turn-folder.ts";

/** Name of the file with the request. */
export const REQUEST_NAME = "request.md";

/** Name of the file with the names of changed files. */
export const FILES_NAME = "files.txt";

/** Name of the file with the request of the work that a revision revises. */
export const ORIGINAL_NAME = "original-request.md";

interface RequestPlace {
  readonly ports: Pick<Ports, "files">;
  readonly home: Home;
  readonly session: Pick<SessionJson, "parent">;
}

/** The current request; for a revision also the request of the finished work, to which it refers. */
export function requestFiles({ ports, home, session }: RequestPlace): readonly TurnFile[] {
  const isFree = session.parent?.preserve === false;
  const says = isFree
    ? "the request; nothing of the finished work has to stay as it is"
    : "the request";
  const own = { name: REQUEST_NAME, says };
  const original = { name: ORIGINAL_NAME, says: "the request of the finished work" };
  return [
    documentFile(ports.files, home.request, own),
    ...(session.parent === undefined
      ? []
      : [documentFile(ports.files, parentHome(home).request, original)]),
  ];
}

/** A whole document of the home; empty if the file is missing. */
function documentFile(
  files: Files,
  path: string,
  { name, says }: Pick<TurnFile, "name" | "says">,
): TurnFile {
  return { name, bytes: need(files.read(path, DOCUMENT_BYTES_MAX)) ?? new Uint8Array(), says };
}

/** The end of a log or of a program's output. */
export function tailFile(
  files: Files,
  path: string,
  { name, says }: Pick<TurnFile, "name" | "says">,
): TurnFile {
  const beyondBytes = (files.stat(path)?.sizeBytes ?? 0) - DOCUMENT_BYTES_MAX;
  const bytes = need(files.readChunk(path, Math.max(0, beyondBytes), DOCUMENT_BYTES_MAX));
  return { name, bytes, says: beyondBytes > 0 ? `${says}, the end of it` : says };
}

/** A file with a text that wisp composed. */
export function textFile(text: string, { name, says }: Pick<TurnFile, "name" | "says">): TurnFile {
  return { name, bytes: Buffer.from(text.endsWith("\n") ? text : `${text}\n`), says };
}

/** A range of commits, and the paths that it changes if the caller knows them. */
interface RangeOf {
  readonly start: Oid;
  readonly end: Oid;
  readonly changed?: readonly ChangedPath[] | undefined;
}

/** Two files about a range: its diff, and the names of the files that it changes. */
export async function rangeFiles(
  clone: Pick<Clone, "diff" | "changedPaths">,
  { start, end, changed }: RangeOf,
): Promise<readonly TurnFile[]> {
  const { text, isWhole } = need(await clone.diff(start, end, RANGE_DIFF_BYTES_MAX));
  const command = `git diff --no-ext-diff ${start} ${end}`;
  const cut = `the beginning of what the range changes; \`${command}\` prints the whole`;
  return [
    {
      name: RANGE_FILE,
      bytes: Buffer.from(text),
      says: isWhole ? "what the range changes, as a diff" : cut,
    },
    changedFile(changed ?? need(await clone.changedPaths(start, end))),
  ];
}

/** The names of changed files, one on each line. */
export function changedFile(changed: readonly ChangedPath[]): TurnFile {
  const lines = changed.map(({ status, path }) => `${status} ${lineOf(path)}`);
  const says = "the names of the files that the range changes";
  return textFile(lines.join("\n"), { name: FILES_NAME, says });
}

/** Keeps a path that contains line breaks on one line. */
function lineOf(path: string): string {
  return cleanText(path, { charsMax: path.length + 1, lines: "one" });
}
