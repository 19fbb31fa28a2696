import { closeSession } from "../../actions/close/close-session.ts";
import { shareBudget } from "../../actions/fleet/share-budget-left.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import type { ArchivedBranch } from "../../git/repository/kept-refs.ts";
import { openHub } from "../../git/repository/hub.ts";
import { gitContext } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { confirm } from "../../actions/confirm.ts";
import { unfinishedRevision } from "../../actions/revise/create-revision.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { putBranchAway } from "../../actions/close/put-branch-away.ts";
import { abandonStart } from "../../actions/elsewhere/abandon-start.ts";
import { endRevision } from "../../actions/close/end-revision.ts";
import { endSession } from "../../actions/close/end-session.ts";
import { findSession } from "../../workspace/find-session.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { allow } from "../../workspace/session/session-stage.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { shown } from "../../base/words/shown.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { startNamed, type StartingHome } from "../../workspace/starting-note.ts";
import { tellHeld } from "../../actions/close/held-clone.ts";
import { tearDown } from "../../actions/close/tear-down.ts";

export interface AbandonOptions {
  readonly session: string | undefined;
  /** Confirmed in advance. */
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** What `wisp abandon --json` prints; fields are added, never renamed or removed. */
export interface AbandonView {
  readonly schema: "wisp.abandon/1";
  readonly session: string;
  readonly branch: string;
  readonly isDryRun: boolean;
  /** Reference that keeps the branch's commits. */
  readonly kept: string | undefined;
  /** References that keep work that was not on the branch. */
  readonly rescues: readonly string[];
  /** Clones that were not removed. */
  readonly left: readonly string[];
  readonly home: string;
}

/**
 * `wisp abandon`: abandons a session. All agents are interrupted, the clones are removed and the
 * branch is archived, with all commits and uncommitted work under references in `refs/wisp/rescue/`. The
 * files of the session stay. Run again, it finishes what a killed run left undone.
 */
export async function abandon(cli: Cli, options: AbandonOptions): Promise<Outcome> {
  const start = startNamed(cli.host.files, cli.cwd, options.session);
  if (start !== undefined) return abandonOfStart(cli, start, options);
  const found = need(findSession(cli.host.files, cli.cwd, options.session));
  const { session, home } = found;
  const { id, branch, parent } = session;
  const about = { session: id, branch, home: home.directory };
  await mayAbandon(cli, found);
  if (parent !== undefined) return abandonRevision(cli, found, options);
  if (options.dryRun) return sayPlanned(cli, options, about);
  need(
    await confirm(cli, {
      isSure: options.yes,
      question: `Abandon ${id}? Its branch is put away, and the session cannot continue. [y/N] `,
      command: `wisp abandon ${shellWord(id)} --yes`,
    }),
  );
  // A branch has one live session: the revision is ended first.
  const unfinished = await unfinishedRevision(cli, found);
  const before = unfinished === undefined ? [] : await endRevision(cli, unfinished);
  await closeSession(cli, found, { kind: "abandon" });
  await endSession(cli, found);
  const torn = await tearDown(cli, found);
  tellHeld(cli, torn.held);
  const away = await putBranchAway(cli, found, torn);
  await shareBudget(cli, found);
  const rows = [
    ...(away === undefined ? [] : branchRows(branch, away)),
    ...before.map(keptRow),
    ...torn.rescues.map(keptRow),
    ...torn.left.map((left) => `  left    ${left}: kept, because the branch is gone`),
    `  files   ${home.directory}`,
  ];
  const text = [`${id} was abandoned.`, ...rows].join("\n");
  const { rescues, left } = torn;
  return say(cli, options, text, {
    ...{ isDryRun: false, kept: away?.ref, rescues, left },
    ...about,
  });
}

/** A start on another machine that has made no session yet. */
async function abandonOfStart(
  cli: Cli,
  start: StartingHome,
  options: AbandonOptions,
): Promise<Outcome> {
  const { id, home, note } = start;
  const on = shown(note.executor);
  const view = { session: id, branch: note.branch, home: home.directory, kept: undefined };
  const nothing = { ...view, rescues: [], left: [] };
  if (options.dryRun) {
    const text = `wisp would give up the start of ${id} on ${on}, and remove what was made there.`;
    return say(cli, options, text, { isDryRun: true, ...nothing });
  }
  need(
    await confirm(cli, {
      isSure: options.yes,
      question: `Give up the start of ${id} on ${on}? What was made there is removed. [y/N] `,
      command: `wisp abandon ${shellWord(id)} --yes`,
    }),
  );
  await abandonStart(cli, start);
  const text = `The start of ${id} was given up; nothing of it is left here or on ${on}.`;
  return say(cli, options, text, { isDryRun: false, ...nothing });
}

/** What it would do. */
function sayPlanned(
  cli: Cli,
  options: AbandonOptions,
  about: Pick<AbandonView, "session" | "branch" | "home">,
): Outcome {
  const kept = `refs/wisp/rescue/${about.session}/abandoned`;
  const text =
    `wisp would abandon ${about.session}: interrupt its agents, remove its clones, and keep its branch ` +
    `${shellWord(about.branch)} as ${kept}.`;
  return say(cli, options, text, { isDryRun: true, kept, rescues: [], left: [], ...about });
}

function say(
  { terminal }: Cli,
  { json }: AbandonOptions,
  text: string,
  view: Omit<AbandonView, "schema">,
): Outcome {
  const printed = { schema: "wisp.abandon/1", ...view } satisfies AbandonView;
  terminal.out(json ? JSON.stringify(printed, undefined, 2) : text);
  return ok(EXIT.ok);
}

/** An abandoned session may be abandoned again, so that a killed `abandon` can be repeated. */
async function mayAbandon(cli: Cli, found: FoundSession): Promise<void> {
  const { state } = need(await readState(cli, found));
  if (state.human.closed?.how === "abandoned") return;
  need(allow("abandon", { id: found.session.id, state, nowMs: cli.host.clock.nowMs() }));
}

function keptRow(ref: string): string {
  return `  kept    ${ref}: work that was not on the branch`;
}

/** Branch and clones belong to the parent: only unpublished work is removed. */
async function abandonRevision(
  cli: Cli,
  found: FoundSession,
  options: AbandonOptions,
): Promise<Outcome> {
  const { yes, dryRun } = options;
  const { id, branch, parent } = found.session;
  const base = parent?.began ?? found.session.base;
  const whose = parent?.id ?? id;
  const view = { session: id, branch, home: found.home.directory, kept: undefined, left: [] };
  if (dryRun) {
    const text = `wisp would abandon ${id} and interrupt its agents. Branch ${shellWord(branch)} and the clones stay, for ${whose}.`;
    return say(cli, options, text, { isDryRun: true, rescues: [], ...view });
  }
  need(
    await confirm(cli, {
      isSure: yes,
      question: `Abandon ${id}? What it has published stays on its branch, and it cannot continue. [y/N] `,
      command: `wisp abandon ${shellWord(id)} --yes`,
    }),
  );
  const ended = await endRevision(cli, found);
  const head = await openHub(gitContext(cli), found.session.repository).head(branch);
  const rows = [
    `  branch  ${shellWord(branch)} stays, for ${whose}`,
    ...(head === base
      ? []
      : [
          `  back    git branch --force ${shellWord(branch)} ${shortSha(base)}: without its commits`,
        ]),
    ...ended.map(keptRow),
    `  files   ${found.home.directory}`,
  ];
  const text = [`${id} was abandoned.`, ...rows].join("\n");
  return say(cli, options, text, { isDryRun: false, rescues: ended, ...view });
}

function branchRows(branch: string, away: ArchivedBranch): readonly string[] {
  switch (away.kind) {
    case "kept":
      return [
        `  kept    ${away.ref}: its commits`,
        `  back    git branch ${shellWord(branch)} ${away.ref}`,
      ];
    case "checked-out":
      return [
        `  kept    ${away.ref}: its commits`,
        `  branch  ${shellWord(branch)} stays: it is checked out in ${shellWord(away.directory)}`,
      ];
    case "gone":
      return away.ref === undefined ? [] : [`  kept    ${away.ref}: its commits`];
  }
}
