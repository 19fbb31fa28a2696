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
import {
  openRecords,
  unreadWords,
  type OpenRecords,
} from "../../workspace/session/open-records.ts";
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

/** `wisp log`: what happened in a session, an event per line, by time; with `-f` also what happens from now on. */
export async function log(cli: Cli, options: LogOptions): Promise<Outcome> {
  const { files, clock } = cli.host;
  const since = need(sinceOf(options.since, clock.nowMs()));
  const count = need(countOf(options.lines));
  const found = need(findSession(files, cli.cwd, options.session));
  const shown = new ShownEvents(cli, openRecords(files, found), { since, json: options.json });
  shown.show(count);
  if (options.follow) {
    const { followWork } = await import("./follow-work.ts");
    const failure = await followWork(cli.host, found.home, { roles: ROLES, shown });
    if (failure !== undefined) return fail(failure);
  }
  shown.end();
  return ok(EXIT.ok);
}

/** Rows are joined before they are printed; all of a long session would be too much at once. */
const ROWS_AT_ONCE = 1_000;

/** Prints events, and what could not be read. */
class ShownEvents {
  readonly #terminal: Terminal;
  readonly #records: OpenRecords;
  readonly #sinceMs: number;
  readonly #json: boolean;

  constructor(
    { terminal }: Cli,
    records: OpenRecords,
    { since, json }: { readonly since: number; readonly json: boolean },
  ) {
    this.#terminal = terminal;
    this.#records = records;
    this.#sinceMs = since;
    this.#json = json;
    for (const note of records.notes) this.#report(note);
  }

  /** Prints what is new. */
  read(): Result<void, never> {
    this.show(Infinity);
    return ok(undefined);
  }

  /** Prints the last `count` events of what is new. */
  show(count: number): void {
    const { records, unread } = this.#records.reader.read();
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
    for (const one of this.#records.reader.tails()) this.#report(unreadWords(one));
  }

  #report(problem: string): void {
    if (this.#json) this.#terminal.out(JSON.stringify({ schema: "wisp.unread/1", problem }));
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
