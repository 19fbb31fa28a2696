import { join } from "node:path";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { QUEUE_FILE_BYTES_MAX } from "../../base/queue-limits.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { EntryJson, FleetJson } from "../../fs-protocol/queue/queue-json.ts";

/** The requests of one start, with how far each is. */
export interface Fleet {
  /** The folder of its files. */
  readonly directory: string;
  readonly json: FleetJson;
  /** By their numbers. */
  readonly entries: readonly EntryJson[];
}

const FLEET = "fleet.json";
const ENTRY = /^\d{3,}\.json$/u;

/** The folder of a repository's queue. */
export function queueDirectory(repository: string): string {
  return join(repository, ".wisp", "queue");
}

/** The lease of the process that works off a repository's queue. */
export function queueLease(repository: string): string {
  return join(queueDirectory(repository), "queue.lock");
}

/** Where the process that works off a queue puts what it has to say. */
export function queueOutput(repository: string): string {
  return join(queueDirectory(repository), "queue.out");
}

/** What has been queued in a repository, the oldest first. Folders that are no fleet's, and damaged files, are left out. */
export function readQueue(files: Files, repository: string): Result<readonly Fleet[], FileFailure> {
  const above = queueDirectory(repository);
  if (files.stat(above) === undefined) return ok([]);
  const names = files.list(above);
  if (!names.ok) return names;
  const fleets = names.value
    // A leading dot marks one that is being written.
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => readFleet(files, join(above, name)) ?? []);
  return ok(fleets.sort((one, other) => (one.json.createdAt < other.json.createdAt ? -1 : 1)));
}

/** A fleet as its files tell it now; undefined if the folder is none. */
export function readFleet(files: Files, directory: string): Fleet | undefined {
  const json = FleetJson.safeParse(jsonAt(files, join(directory, FLEET)));
  const names = json.success ? files.list(directory) : undefined;
  if (!json.success || names?.ok !== true) return undefined;
  const entries = names.value
    .filter((name) => ENTRY.test(name))
    .flatMap((name) => EntryJson.safeParse(jsonAt(files, join(directory, name))).data ?? [])
    .sort((one, other) => one.number - other.number);
  return { directory, json: json.data, entries };
}

/** The content of a queued request; undefined if it is not there. */
export function queuedRequest(
  files: Files,
  fleet: Pick<Fleet, "directory">,
  entry: Pick<EntryJson, "number">,
): Result<Uint8Array | undefined, FileFailure> {
  return files.read(join(fleet.directory, requestName(entry)), DOCUMENT_BYTES_MAX);
}

/** Writes how far an entry is, as a whole. Only the process that works off the queue does, unless the entry has failed. */
export function writeEntry(
  files: Pick<Files, "replace">,
  { directory }: Pick<Fleet, "directory">,
  entry: EntryJson,
): Result<void, FileFailure> {
  return files.replace(join(directory, entryName(entry)), textOf(entry));
}

/** Writes what holds for a whole fleet. Only a start does, under the lock of the fleets. */
export function writeFleet(
  files: Pick<Files, "replace">,
  { directory }: Pick<Fleet, "directory">,
  json: FleetJson,
): Result<void, FileFailure> {
  return files.replace(join(directory, FLEET), textOf(json));
}

/** Removes an entry with its request. */
export function removeEntry(
  files: Pick<Files, "remove">,
  { directory }: Pick<Fleet, "directory">,
  entry: Pick<EntryJson, "number">,
): Result<void, FileFailure> {
  const removed = files.remove(join(directory, entryName(entry)));
  return removed.ok ? files.remove(join(directory, requestName(entry))) : removed;
}

/** The files of a new fleet, by their names in its folder. */
export function filesOfFleet(
  json: FleetJson,
  entries: readonly { readonly entry: EntryJson; readonly content: Uint8Array }[],
): ReadonlyMap<string, Uint8Array> {
  return new Map([
    ...entries.flatMap(({ entry, content }): [string, Uint8Array][] => [
      [requestName(entry), content],
      [entryName(entry), textOf(entry)],
    ]),
    [FLEET, textOf(json)],
  ]);
}

function textOf(json: FleetJson | EntryJson): Uint8Array {
  return Buffer.from(`${JSON.stringify(json, undefined, 2)}\n`);
}

function entryName({ number }: Pick<EntryJson, "number">): string {
  return `${numbered(number)}.json`;
}

function requestName({ number }: Pick<EntryJson, "number">): string {
  return `${numbered(number)}.request`;
}

function numbered(number: number): string {
  return String(number).padStart(3, "0");
}

function jsonAt(files: Files, path: string): unknown {
  const read = files.read(path, QUEUE_FILE_BYTES_MAX);
  return jsonOf(read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "");
}
