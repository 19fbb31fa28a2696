import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { ROLES } from "../../base/role.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { showRows } from "../../terminal/show-view.ts";
import { eventRows, eventView } from "../../views/timeline/event-view.ts";
import { sinceMs } from "../../views/timeline/since.ts";
import { findSession } from "../../workspace/find-session.ts";
import { openRecords, unreadWords } from "../../workspace/session/open-records.ts";
import {
  readLastRecords,
  RecordReader,
  type RecordBatch,
} from "../../workspace/session/record-reader.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { Usage } from "../../workspace/usage.ts";

export interface LogOptions {
  readonly session: string | undefined;
  /** As typed: a time, or a duration back from now. */
  readonly since: string | undefined;
  /** As typed: only so many of the last events. */
  readonly lines: string | undefined;
  readonly follow: boolean;
  readonly json: boolean;
}

/** A line of `wisp log --json` about what could not be read; fields are added, never renamed or removed. */
export interface UnreadView {
  readonly schema: "wisp.unread/1";
  /** A sentence. */
  readonly problem: string;
}

/** `wisp log`: what happened in a session, an event per line, by time; with `-f` also what happens from now on. */
export async function log(cli: Cli, options: LogOptions): Promise<Outcome> {
  const { files, clock } = cli.host;
  const since = need(sinceOf(options.since, clock.nowMs()));
  const count = need(countOf(options.lines));
  const found = need(findSession(files, cli.cwd, options.session));
  const shown = new ShownEvents(cli, { since, json: options.json });
  shown.begin(found, count);
  if (options.follow) {
    const { followWork } = await import("./follow-work.ts");
    const failure = await followWork(cli.host, found.home, { roles: ROLES, shown });
    if (failure !== undefined) return fail(failure);
  }
  shown.end();
  return ok(EXIT.ok);
}

/** No date is farther from 1970. */
const DATE_MS_MAX = 8.64e15;
/** Rows are joined before they are printed; all of a long session would be too much at once. */
const ROWS_AT_ONCE = 1_000;

/** Prints events, and what could not be read. */
class ShownEvents {
  readonly #cli: Cli;
  readonly #terminal: Terminal;
  readonly #sinceMs: number;
  readonly #json: boolean;
  #reader: RecordReader | undefined;

  constructor(cli: Cli, { since, json }: { readonly since: number; readonly json: boolean }) {
    this.#cli = cli;
    this.#terminal = cli.terminal;
    this.#sinceMs = since;
    this.#json = json;
  }

  /** Prints the last `count` events; of a long session only the ends of its logs are read for them. */
  begin(found: FoundSession, count: number): void {
    const { files, notes } = openRecords(this.#cli.host.files, found);
    for (const note of notes) this.#report(note);
    const isOfPeriod = Math.abs(this.#sinceMs) <= DATE_MS_MAX;
    if (!isOfPeriod && Number.isFinite(count)) {
      const isEnough = (records: readonly LogRecord[]) => this.#countOf(records) >= count;
      const { reader, batch } = readLastRecords(files, found.home, isEnough);
      this.#reader = reader;
      this.#show(batch, count);
    } else {
      const sinceTime = isOfPeriod ? new Date(this.#sinceMs).toISOString() : undefined;
      this.#reader = new RecordReader(files, found.home, { sinceTime });
      this.#show(this.#reader.read(), count);
    }
  }

  /** Prints what is new. */
  read(): Result<void, never> {
    if (this.#reader !== undefined) this.#show(this.#reader.read(), Infinity);
    return ok(undefined);
  }

  #countOf(records: readonly LogRecord[]): number {
    if (this.#json) return records.length;
    return records.reduce((sum, entry) => sum + eventRows(entry).length, 0);
  }

  /** Prints the last `count` events of a batch. */
  #show({ records, unread }: RecordBatch, count: number): void {
    for (const one of unread) this.#report(unreadWords(one));
    const recent = records.filter(({ record }) => Date.parse(record.time) >= this.#sinceMs);
    if (this.#json) {
      const last = lastOf(recent, count);
      inParts(last, (some) => this.#terminal.out(some.map(jsonLine).join("\n")));
    } else {
      const last = lastOf(
        recent.flatMap((entry) => eventRows(entry)),
        count,
      );
      inParts(last, (some) => showRows(this.#terminal, some));
    }
  }

  /** Reports lines without an end, when nothing more is read. */
  end(): void {
    for (const one of this.#reader?.tails() ?? []) this.#report(unreadWords(one));
  }

  #report(problem: string): void {
    const view: UnreadView = { schema: "wisp.unread/1", problem };
    if (this.#json) this.#terminal.out(JSON.stringify(view));
    else this.#terminal.err(problem);
  }
}

function jsonLine(entry: LogRecord): string {
  return JSON.stringify(eventView(entry));
}

function lastOf<T>(all: readonly T[], count: number): readonly T[] {
  return count >= all.length ? all : all.slice(all.length - count);
}

function inParts<T>(all: readonly T[], print: (some: readonly T[]) => void): void {
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) print(all.slice(at, at + ROWS_AT_ONCE));
}

function sinceOf(text: string | undefined, nowMs: number): Result<number, Usage> {
  const since = text === undefined ? -Infinity : sinceMs(text, nowMs);
  if (since !== undefined) return ok(since);
  const problem = `--since takes a duration such as 30m, 2h or 1d, or a time such as 2026-11-20T12:00, and ${text ?? ""} is neither`;
  return fail(Usage({ problem }));
}

function countOf(text: string | undefined): Result<number, Usage> {
  if (text === undefined) return ok(Infinity);
  if (/^\d{1,9}$/.test(text)) return ok(Number(text));
  return fail(Usage({ problem: `--lines takes a number of events, and ${text} is none` }));
}
