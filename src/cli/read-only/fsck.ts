import { isDeepStrictEqual } from "node:util";
import { movedTo } from "../../home/write-fence.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { classOf } from "../../fs-protocol/home/home-issue.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { readStepFacts } from "../../actions/repair/fsck-step-facts.ts";
import { fsckRows, issueViews, type FsckView } from "../../actions/repair/fsck-view.ts";
import { inspectHome, type FoundIssue } from "../../workspace/home/inspect-home.ts";
import { showView } from "../../terminal/show-view.ts";
import { movedAsideWords } from "../../workspace/home/restore-home.ts";
import { findRepairable } from "../../workspace/removed-homes.ts";
import { repairHome } from "../../actions/repair/repair-home.ts";
import { count } from "../../base/words/sentence.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

export interface FsckOptions {
  readonly session: string | undefined;
  readonly repair: boolean;
  /** Only show what can be repaired. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `wisp fsck`: checks a session's home against the protocol; exits with 1 when an issue remains. */
export async function fsck(cli: Cli, options: FsckOptions): Promise<Outcome> {
  const { terminal } = cli;
  const found = need(findRepairable(cli, options.session));
  const isRepair = options.repair && !options.dryRun;
  const view = need(isRepair ? await repaired(cli, found) : await inspected(cli, found));
  showView(terminal, { json: options.json, view, rows: () => fsckRows(view) });
  const repairable = view.issues.filter(({ canRepair }) => canRepair).length;
  if (options.dryRun)
    terminal.err(`${count(repairable, "issue")} can be repaired. Nothing was done.`);
  return ok(view.errors > 0 ? EXIT.failure : EXIT.ok);
}

async function inspected(cli: Cli, found: FoundSession) {
  const { issues, live } = await inspectHome(cli, found, { own: false });
  return ok(await viewOf(cli, found, { left: issues, repaired: [], live: [...live] }));
}

async function repaired(cli: Cli, found: FoundSession) {
  const held = await repairHome(cli, found);
  if (!held.ok) return held;
  const left = [...held.value.after.issues];
  const done = held.value.before.issues.filter(
    (issue) => classOf(issue).canRepair && !takeOut(left, issue),
  );
  const { issues } = held.value.after;
  for (const moved of held.value.moved) cli.terminal.err(`${movedAsideWords(moved)}.`);
  return ok(await viewOf(cli, found, { left: issues, repaired: done, live: [] }));
}

/** Whether an issue is among the remaining ones; each of those matches one issue only. */
function takeOut(left: FoundIssue[], issue: FoundIssue): boolean {
  const index = left.findIndex((other) => isDeepStrictEqual(other, issue));
  if (index >= 0) left.splice(index, 1);
  return index >= 0;
}

async function viewOf(
  cli: Cli,
  found: FoundSession,
  issues: {
    readonly left: readonly FoundIssue[];
    readonly repaired: readonly FoundIssue[];
    readonly live: readonly string[];
  },
): Promise<FsckView> {
  const { home, session } = found;
  const facts = await readStepFacts(cli, found, issues.left);
  const left = issueViews(issues.left, facts, { isRepaired: false });
  return {
    schema: "wisp.fsck/1",
    session: session.id,
    home: home.directory,
    movedTo: movedTo(cli.host.files, home),
    live: issues.live,
    errors: left.filter(({ severity }) => severity === "error").length,
    warnings: left.filter(({ severity }) => severity === "warning").length,
    repaired: issues.repaired.length,
    issues: [...issueViews(issues.repaired, facts, { isRepaired: true }), ...left],
  };
}
