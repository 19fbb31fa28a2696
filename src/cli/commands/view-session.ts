import {
  concatMap,
  filter,
  from,
  ignoreElements,
  lastValueFrom,
  merge,
  share,
  Subject,
  takeUntil,
  tap,
} from "rxjs";
import { questionIn, recordStreams, type Seen } from "../../views/timeline/record-streams.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Result } from "../../base/result.ts";
import type { WatchHint } from "../../base/ports/watcher.ts";
import { lookAgain } from "../../streams/look-again.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import { answerCommand } from "../../workspace/session/answer-command.ts";
import type { Cli } from "../../terminal/cli.ts";
import { speakerOf } from "../../views/timeline/log-names.ts";
import { showRows } from "../../terminal/show-view.ts";
import { span, type Row } from "../../views/rows/row.ts";
import { speakerRow } from "../../views/rows/speaker-row.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import { renderRecord } from "../../views/timeline/render-record.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { hasSupervisorLeft } from "../../views/timeline/supervisor-left.ts";

/**
 * Shows what happens in a session, one line per record, until its supervisor has left. It watches the
 * files and asks the processes nothing. Everything written before the supervisor left has been shown.
 *
 * @returns how many records of each log have been seen by now
 */
export async function viewSession(
  cli: Pick<Cli, "host" | "terminal">,
  { home, session }: FoundSession,
  seen: Seen,
): Promise<Seen> {
  const { host, terminal } = cli;
  const shown = { ...seen };
  let supervisor: number | undefined;
  const atEnd$ = new Subject<WatchHint>();
  const ended$ = new Subject<void>();
  const hint$ = merge(watchHints(host.watcher, [home.logs, home.locks]), atEnd$).pipe(share());
  const shown$ = recordStreams(host.files, home, { seen, hint$ }).pipe(
    tap((read) => {
      if (read.ok) shown[read.value.log] += 1;
      supervisor = (read.ok ? supervisorIn(read.value) : undefined) ?? supervisor;
      const line = rowOf(read);
      if (line !== undefined) showRows(terminal, [line]);
      const question = read.ok ? questionIn(read.value) : undefined;
      if (question === undefined) return;
      terminal.err(`  ${answerCommand(session.id, question)}`);
      terminal.call(`wisp: ${session.id} has a question: ${question}`);
    }),
  );
  const left$ = hint$.pipe(
    filter(({ path }) => path.startsWith(home.locks) || path === home.logs),
    lookAgain(home.locks),
    // concatMap: exhaustMap could drop the only hint of the end.
    concatMap(() => from(hasSupervisorLeft(host, home, () => supervisor))),
    filter((hasLeft) => hasLeft),
    tap(() => {
      // The supervisor has written everything before it left: read once more, then leave too.
      atEnd$.next({ path: home.logs });
      ended$.next();
    }),
  );
  const all$ = merge(shown$.pipe(ignoreElements()), left$.pipe(ignoreElements()));
  await lastValueFrom(all$.pipe(takeUntil(ended$)), { defaultValue: undefined });
  return shown;
}

/** The process that took the supervisor's lease, if a record says so. */
function supervisorIn({ log, record }: LogRecord): number | undefined {
  return log === "supervisor" && record.kind === "supervisor.start" ? record.pid : undefined;
}

/** `builder  | finished "API": 3 tasks done, 2 commits`; undefined for what people need not see. */
function rowOf(read: Result<LogRecord, FileFailure>): Row | undefined {
  if (!read.ok) {
    const { path, errno } = read.failure;
    return speakerRow("wisp", span("bad", `cannot read ${path}: ${errno}`));
  }
  const sentence = renderRecord(read.value);
  return sentence && speakerRow(speakerOf(read.value.log), span(sentence.tone, sentence.text));
}
