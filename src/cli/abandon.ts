import { ok } from "../base/result.ts";
import { putAwayBranch, type PutAway } from "../git/keep-branch.ts";
import { appendHuman } from "./append-human.ts";
import { gitContext, type Cli, type Outcome } from "./cli.ts";
import { confirm } from "./confirm.ts";
import { endSession } from "./end-session.ts";
import { EXIT } from "./exit-codes.ts";
import { findSession } from "./find-session.ts";
import { shellWord } from "./shell-word.ts";
import { tearDown } from "./tear-down.ts";

export interface AbandonOptions {
  readonly session: string | undefined;
  /** Confirmed in advance. */
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/**
 * `wisp abandon`: gives a session up. Everybody at work is interrupted, the clones are removed and the
 * branch is put away, with all commits and uncommitted work under references in `refs/wisp/rescue/`. The
 * files of the session stay. Said again, it does what a killed one left.
 */
export async function abandon(cli: Cli, options: AbandonOptions): Promise<Outcome> {
  const found = findSession(cli.host.files, cli.cwd, options.session);
  if (!found.ok) return found;
  const { session, home } = found.value;
  const { id, branch, repository: directory } = session;
  if (options.dryRun) {
    cli.terminal.out(
      `${id} would be given up: its agents interrupted, its clones removed, its branch ` +
        `${shellWord(branch)} kept as refs/wisp/rescue/${id}/abandoned.`,
    );
    return ok(EXIT.ok);
  }
  const sure = await confirm(cli, {
    isSure: options.yes,
    question: `Give ${id} up? Its branch is put away, and the session cannot go on. [y/N] `,
    command: `wisp abandon ${shellWord(id)} --yes`,
  });
  if (!sure.ok) return sure;
  if (!sure.value) return ok(EXIT.failure);
  const said = await appendHuman(cli, found.value, () => ({ kind: "abandon" }));
  const isAgain =
    !said.ok && said.failure.kind === "session-closed" && said.failure.how === "abandoned";
  if (!said.ok && !isAgain) return said;
  const ended = await endSession(cli, found.value);
  if (!ended.ok) return ended;
  const torn = await tearDown(cli, found.value);
  if (!torn.ok) return torn;
  const away = await putAwayBranch(gitContext(cli), { directory, branch }, id);
  if (!away.ok) return away;
  const rows = [
    ...branchRows(branch, away.value),
    ...torn.value.rescues.map((ref) => `  kept    ${ref}: work that the branch did not hold`),
    ...torn.value.left.map((left) => `  left    ${left}: the branch is gone, so it stays`),
    `  files   ${home.directory}`,
  ];
  cli.terminal.out([`${id} is given up.`, ...rows].join("\n"));
  return ok(EXIT.ok);
}

function branchRows(branch: string, away: PutAway): readonly string[] {
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
