import { need } from "../../base/fatal.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { EXIT } from "../../base/exit-code.ts";
import type { Refusal } from "../../base/failure.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { planPath, type Home } from "../../fs-protocol/home/home.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { taskListOf } from "../../fs-protocol/tasks/task-list.ts";
import { parseTasks, progress, type TasksDocument } from "../../fs-protocol/tasks/tasks-md.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { editAhead, ticksAhead } from "../../views/status/milestone-status.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { sentence } from "../../base/words/sentence.ts";

/** `wisp tasks`: the plan in force and its progress, as text or as a JSON task list. */
export async function tasks(
  cli: Cli,
  options: { readonly session: string | undefined; readonly json: boolean },
): Promise<Outcome> {
  const { host, terminal } = cli;
  const found = need(findSession(host.files, cli.cwd, options.session));
  const read = need(await readState(cli, found));
  const document = need(planIn(cli, found.home, read.state));
  if (options.json) {
    terminal.out(JSON.stringify(document === undefined ? [] : taskListOf(document), undefined, 2));
    return ok(EXIT.ok);
  }
  if (document === undefined) terminal.err(`${found.session.id} has no plan yet.`);
  else terminal.out(tasksText(document));
  return ok(EXIT.ok);
}

/** The plan that the builder follows, with its ticks: the one in force, or a person's edit of it. */
function planIn(
  { host }: Cli,
  home: Home,
  state: SessionState,
): Result<TasksDocument | undefined, Refusal> {
  const sha256 = editAhead(state)?.plan ?? state.builder.planSha;
  if (sha256 === undefined) return ok(undefined);
  const path = planPath(home, sha256);
  const bytes = host.files.read(path, DOCUMENT_BYTES_MAX);
  if (!bytes.ok) return bytes;
  if (bytes.value === undefined) {
    return fail(FileFailure({ operation: "read", path, errno: "ENOENT" }));
  }
  const text = new TextDecoder().decode(bytes.value);
  return parseTasks(replaceTicks(text, ticksAhead(state)));
}

function tasksText(document: TasksDocument): string {
  const { tasks: count, milestones } = progress(document);
  const blocks = document.milestones.map(({ name, tasks: all }) =>
    [
      sentence("plain", name).text,
      ...all.flatMap(({ text, steps, ticked }) => [
        `  [${ticked ? "x" : " "}] ${sentence("plain", text).text}`,
        ...steps.map((step) => `      - ${sentence("plain", step).text}`),
      ]),
    ].join("\n"),
  );
  const sum =
    `${String(milestones.done)} of ${String(milestones.total)} milestones, ` +
    `${String(count.done)} of ${String(count.total)} tasks`;
  return [...blocks, sum].join("\n\n");
}
