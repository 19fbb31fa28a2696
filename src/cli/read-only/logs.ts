import { followed } from "./followed.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { LINE_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { readLines, START, type Cursor } from "../../fs-protocol/codec/read-lines.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { LOG_NAMES, type LogName } from "../../base/role.ts";
import { logPath } from "../../fs-protocol/home/home.ts";
import { speakerOf } from "../../views/timeline/log-names.ts";
import { nameAndSession, type TypedNames } from "../../workspace/role-and-session.ts";
import { showRows } from "../../terminal/show-view.ts";
import { padCells } from "../../views/rows/cells.ts";
import { row, span, type Row } from "../../views/rows/row.ts";
import { speakerRow } from "../../views/rows/speaker-row.ts";

export interface LogsOptions extends TypedNames {
  readonly follow: boolean;
  readonly prefix: boolean;
}

/** `wisp logs`: the lines of the logs as they are, by time; with `-f` also new ones. */
export async function logs(cli: Cli, options: LogsOptions): Promise<Outcome> {
  const { files } = cli.host;
  const named = need(nameAndSession("logs", options, LOG_NAMES));
  const found = need(findSession(files, cli.cwd, named.session));
  if (found.mirrors !== undefined) await followed(cli, found);
  const { home } = found;
  const names = named.role === undefined ? LOG_NAMES : [named.role];
  const tails = names.map((name) => new Tail(files, name, logPath(home, name)));
  const print = (): Result<void, FileFailure> => {
    const lines = need(readTails(tails));
    for (const line of lines) showRows(cli.terminal, [lineRow(line, options.prefix)]);
    return ok(undefined);
  };
  need(print());
  if (!options.follow) return ok(EXIT.ok);
  const { followLogs } = await import("./follow-logs.ts");
  const failure = await followLogs(cli.host, home, print);
  return failure === undefined ? ok(EXIT.ok) : fail(failure);
}

interface LogLine {
  readonly log: LogName;
  readonly text: string;
}

/** One log, read from where the last read ended. */
class Tail {
  readonly #files: Files;
  readonly #log: LogName;
  readonly #path: string;
  #cursor: Cursor = START;

  constructor(files: Files, log: LogName, path: string) {
    this.#files = files;
    this.#log = log;
    this.#path = path;
  }

  read(): Result<readonly LogLine[], FileFailure> {
    const lines: LogLine[] = [];
    const read = readLines(this.#files, this.#path, this.#cursor, {
      line: ({ text }) => lines.push({ log: this.#log, text: printable(text) }),
      restart: () => undefined,
    });
    if (!read.ok) return read;
    this.#cursor = read.value;
    return ok(lines);
  }
}

/** New lines of all logs, by time: every record begins with a time of fixed length. */
function readTails(tails: readonly Tail[]): Result<readonly LogLine[], FileFailure> {
  const all: LogLine[] = [];
  for (const tail of tails) {
    const lines = tail.read();
    if (!lines.ok) return lines;
    for (const line of lines.value) all.push(line);
  }
  return ok(tails.length === 1 ? all : all.sort(byTime));
}

const TIME_CHARS = "2026-11-20T12:00:00.000Z".length;

function byTime(one: LogLine, other: LogLine): number {
  const [first, second] = [one.text.slice(0, TIME_CHARS), other.text.slice(0, TIME_CHARS)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** A line not written by wisp may hold anything: it is shown, but cannot control the terminal. */
function printable(text: string | undefined): string {
  if (text === undefined) return "(a line that is too long, or not UTF-8)";
  return cleanText(text, { charsMax: LINE_BYTES_MAX, lines: "many" }).replaceAll("\n", " ");
}

const NAME_CELLS = "supervisor".length;

function lineRow({ log, text }: LogLine, hasPrefix: boolean): Row {
  if (!hasPrefix) return row(text);
  return speakerRow(speakerOf(log), span("plain", text), padCells(log, NAME_CELLS));
}
