import { confirm } from "../../actions/confirm.ts";
import { heldHere } from "../../actions/close/held-clone.ts";
import { PlaceHolds } from "../../actions/elsewhere/place-holds.ts";
import { leaveFirst } from "../../actions/prune/leave-first.ts";
import { NotPruned } from "../../actions/prune/prune-failures.ts";
import { pruneLeftovers } from "../../actions/prune/prune-leftovers.ts";
import { pruneSession } from "../../actions/prune/prune-session.ts";
import { readPrune, type Measured, type PruneReading } from "../../actions/prune/read-prune.ts";
import { EXIT } from "../../base/exit-code.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { RUN_ID_VARIABLE } from "../../base/ports/processes.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { PruneLimits } from "../../session/rules/why-kept.ts";
import { spanMs } from "../../settings/schema/duration.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { showRows, showView } from "../../terminal/show-view.ts";
import { freedWords, pruneRows } from "../../views/prune/prune-rows.ts";
import { KEEP_WORDS, type PrunedSession, type PruneView } from "../../views/prune/prune-view.ts";
import { unusedPrograms } from "../../workspace/disk/unused-programs.ts";
import type { KeptSession } from "../../workspace/disk/kept-sessions.ts";
import { NoSuchSession } from "../../workspace/find-session.ts";
import { workTreeAround } from "../../workspace/sessions.ts";
import { EngineSpeaks } from "../../workspace/session/append-human.ts";
import { Usage } from "../../workspace/usage.ts";

export interface PruneOptions {
  /** An id or a branch, or the path of a session's files; undefined for all sessions. */
  readonly session: string | undefined;
  /** As typed; undefined for any age. */
  readonly olderThan: string | undefined;
  readonly force: boolean;
  /** Confirmed in advance. */
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * `wisp prune`: shows what old sessions take on the disk, and removes their files once a person has confirmed that.
 * Branches, and work that is kept under references, stay. Run again, it does what a killed run left undone.
 */
export async function prune(cli: Cli, options: PruneOptions): Promise<Outcome> {
  if (cli.env[RUN_ID_VARIABLE] !== undefined) return fail(EngineSpeaks({}));
  const limits = limitsOf(options);
  if (!limits.ok) return limits;
  const choose = (all: readonly KeptSession[]) => named(cli, options, all);
  const reading = await readPrune(cli, choose, limits.value);
  const [only] = reading.sessions;
  if (options.session !== undefined && only?.told.kept !== undefined && !options.dryRun) {
    return fail(notPruned(only, only.told.kept));
  }
  const planned = viewOf(reading, { isDryRun: true });
  const rows = () => pruneRows(planned);
  // What is inside of a session that stays is counted there.
  const removable =
    planned.programs.length > 0 ||
    [...planned.sessions, ...planned.leftovers].some(({ kept }) => kept === undefined);
  if (options.dryRun || !removable) {
    const view = { ...planned, isDryRun: options.dryRun };
    showView(cli.terminal, { json: options.json, view, rows });
    return ok(EXIT.ok);
  }
  if (!options.json) showRows(cli.terminal, rows());
  need(await confirmed(cli, options, planned, reading));
  const view = await removeAll(cli, options, { reading, limits: limits.value });
  if (options.json) cli.terminal.out(JSON.stringify(view, undefined, 2));
  else sayRemoved(cli, view);
  return ok(EXIT.ok);
}

function limitsOf({ session, olderThan, force }: PruneOptions): Result<PruneLimits, Usage> {
  if (force && session === undefined) {
    return fail(Usage({ problem: "wisp prune --force needs the session that it is about" }));
  }
  const olderThanMs = olderThan === undefined ? 0 : spanMs(olderThan);
  if (olderThanMs !== undefined) return ok({ olderThanMs, force });
  return fail(
    Usage({ problem: `--older-than takes an age such as 12h or 30d, not ${olderThan ?? ""}` }),
  );
}

/** The session that a person named; undefined if they named none. A revision goes with the session that it revises. */
function named(
  cli: Cli,
  { session: asked }: PruneOptions,
  all: readonly KeptSession[],
): readonly KeptSession[] | undefined {
  if (asked === undefined) return undefined;
  const isNamed = ({ found: { session }, revisions }: KeptSession) =>
    [session.id, session.state, ...revisions.map((one) => one.session.id)].includes(asked);
  const byName = all.filter(isNamed);
  const byBranch = all.filter(({ found: { session } }) => session.branch === asked);
  const matches = byName.length > 0 ? byName : byBranch;
  // One that is there comes before those of which only a part is left.
  const present = matches.filter(({ at }) => at === "home");
  const best = present.length > 0 ? present : matches;
  if (best.length === 1) return best;
  if (best.length > 1) {
    const paths = best.map(({ found: { session } }) => shellWord(session.state)).join(", ");
    const problem = `several sessions are called ${asked}; name one of them by its folder: ${paths}`;
    throw new CannotGoOn(Usage({ problem }));
  }
  const sessions = all.map(({ found: { session } }) => ({
    id: session.id,
    branch: session.branch,
  }));
  const repository = workTreeAround(cli.host.files, cli.cwd) ?? cli.cwd;
  throw new CannotGoOn(NoSuchSession({ asked, repository, sessions }));
}

function notPruned({ told, loses }: Measured, why: NonNullable<PrunedSession["kept"]>) {
  return NotPruned({ session: told.session, why, loses });
}

function viewOf(
  { sessions, leftovers, programs, unreadable, isPart }: PruneReading,
  { isDryRun }: { readonly isDryRun: boolean },
): PruneView {
  const told = sessions.map((one) => one.told);
  const due = [...told, ...leftovers].filter(({ kept }) => kept === undefined);
  const freed = [...due, ...programs];
  const freedBytes = freed.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    ...{ schema: "wisp.prune/1", isDryRun, sessions: told, leftovers, programs, unreadable },
    ...{ freedBytes, isPart, rescues: [], held: [] },
  };
}

function confirmed(
  cli: Cli,
  options: PruneOptions,
  planned: PruneView,
  { sessions: [first] }: PruneReading,
) {
  const { session, olderThan, force, yes, json } = options;
  const words = [
    "wisp prune",
    ...(session === undefined ? [] : [shellWord(session)]),
    ...(olderThan === undefined ? [] : [`--older-than ${olderThan}`]),
    ...(force ? ["--force"] : []),
    "--yes",
  ];
  const what = planned.sessions.length === 1 ? "these files" : "all that can be removed";
  const loses = force && first !== undefined ? ` Lost is ${first.loses}` : "";
  return confirm(
    { ask: json ? undefined : cli.ask },
    {
      isSure: yes,
      question: `Remove ${what}? Branches stay.${loses} [y/N] `,
      command: words.join(" "),
      why: `${freedWords(planned)} Nothing was removed, because there is nobody to confirm it.`,
    },
  );
}

/** Leftovers first: a session whose name is free again may be among those that a killed run moved aside. */
async function removeAll(
  cli: Cli,
  options: PruneOptions,
  { reading, limits }: { readonly reading: PruneReading; readonly limits: PruneLimits },
): Promise<PruneView> {
  const due = reading.leftovers.filter(({ kept }) => kept === undefined);
  await pruneLeftovers(cli, due, reading.repositories);
  const sessions: PrunedSession[] = [];
  const rescues: string[] = [];
  const held: string[] = [];
  for (const { kept, told } of reading.sessions) {
    const isNamed = options.session !== undefined;
    const own =
      told.kept === undefined && isNamed
        ? await leaveFirst(cli, kept, { ...limits, isSure: options.yes })
        : kept;
    if ("stays" in own) throw new CannotGoOn(PlaceHolds(own.stays));
    const pruned = told.kept === undefined ? await pruneSession(cli, own, limits) : undefined;
    if (pruned?.kind === "removed") rescues.push(...pruned.rescues);
    if (pruned?.kind === "kept") held.push(...(pruned.held ?? []).map(heldHere));
    const why = pruned?.kind === "kept" ? pruned.why : told.kept;
    const isRemoved = pruned?.kind === "removed";
    sessions.push({ ...told, kept: why, why: why && KEEP_WORDS[why], isRemoved });
  }
  const leftovers = reading.leftovers.map((one) => ({ ...one, isRemoved: one.kept === undefined }));
  // One may have been started while the person was asked.
  const unused = unusedPrograms(
    cli,
    reading.sessions.map(({ kept }) => kept),
  );
  const programs = reading.programs
    .filter(({ path }) => unused.includes(path))
    .map((one) => ({ ...one, isRemoved: true }));
  for (const { path } of programs) need(cli.host.directories.removeTree(path));
  const freed = [...sessions, ...leftovers, ...programs].filter(({ isRemoved }) => isRemoved);
  const freedBytes = freed.reduce((sum, { bytes }) => sum + bytes, 0);
  const { unreadable, isPart } = reading;
  return {
    ...{ schema: "wisp.prune/1", isDryRun: false, sessions, leftovers, programs, unreadable },
    ...{ freedBytes, isPart, rescues, held },
  };
}

function sayRemoved({ terminal }: Cli, view: PruneView): void {
  terminal.out(freedWords(view));
  for (const words of view.held) terminal.out(`  kept    ${words}`);
  for (const ref of view.rescues) terminal.out(`  kept    ${ref}: work that was not on the branch`);
}
