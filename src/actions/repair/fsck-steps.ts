import { shown } from "../../base/words/shown.ts";
import { basename, dirname, join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import { classOf, type HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shownPath, sessionsOf } from "../../workspace/shown-path.ts";

/** What determines the next step for an issue that `--repair` cannot repair. */
export interface StepFacts {
  readonly found: FoundSession;
  /** Whether a person has closed the session for good. */
  readonly isClosed: boolean;
  /** The next commands for the session, best first. */
  readonly next: readonly string[];
  /** The furthest recorded commit that the repository has; undefined if unknown. */
  readonly recorded: Oid | undefined;
  /** Where the branch is checked out. */
  readonly checkedOutAt: string | undefined;
  /** Whether the branch differs from the session's records: then no role continues. */
  readonly isHeldUp: boolean;
  /** Clones of the session that have commits which the repository lacks, by commit. */
  readonly clones: ReadonlyMap<string, string>;
  /** Existing homes, by id. */
  readonly hasHome: (id: string) => boolean;
}

/** What a person does next about an issue. */
export interface FsckStep {
  /** One or several sentences; the commands are part of them. */
  readonly text: string;
  /** The next commands, in order; empty if nothing is left to do. */
  readonly next: readonly string[];
}

/** The next step for an unrepaired issue. */
export function nextStep(issue: HomeIssue, facts: StepFacts): FsckStep {
  const id = shellWord(facts.found.session.id);
  if (classOf(issue).canRepair) return run([`wisp fsck ${id} --repair`], "To repair it:");
  if (facts.isClosed) {
    return { text: "The session is closed: nothing has to be done.", next: [] };
  }
  switch (issue.kind) {
    case "bad-line":
      return isLog(facts, issue) ? continueSession(facts, IN_THE_LOG) : setAside(facts, issue);
    case "plan-missing":
    case "plan-altered":
      return issue.way === "none"
        ? continueSession(facts, "Nothing has to be done.")
        : continueSession(facts, RECORDED);
    case "unit-interrupted":
    case "tasks-edited":
      return continueSession(facts, "");
    case "commit-missing":
      return findCommit(facts, issue.sha);
    case "commit-not-on-branch":
    case "branch-gone":
      return putBranchBack(facts);
    case "request-missing":
    case "request-differs":
      return giveRequest(facts);
    case "id-differs":
      return renameHome(facts, issue.id);
    case "log-lost":
      return closeSession(facts);
    default:
      return continueSession(facts, RECORDED);
  }
}

/** The next step after a repair. */
export const REPAIRED: FsckStep = { text: "Nothing is left to do about it.", next: [] };

const RECORDED = "Logs are never changed, and the session can continue from this one.";
const IN_THE_LOG = "It stays in the log, and nothing has to be done about it.";

/** The same as `code`, joined to one line. */
function run(next: readonly string[], lead: string): FsckStep {
  const commands = next.map((command) => `\`${command}\``).join(", then ");
  return { text: `${lead} ${commands}.`.trim(), next };
}

function continueSession({ found, next }: StepFacts, lead: string): FsckStep {
  const best = next.length > 0 ? next.slice(0, 1) : [`wisp status ${shellWord(found.session.id)}`];
  return run(best, `${lead} To continue:`.trim());
}

function isLog({ found: { home } }: StepFacts, { path }: HomeIssue): boolean {
  return dirname(path) === home.logs && path.endsWith(".log") && path !== home.milestones;
}

/** Moves a derived file aside: `--repair` then recreates its lines from the log. */
function setAside({ found }: StepFacts, { path }: HomeIssue): FsckStep {
  const id = shellWord(found.session.id);
  const name = shownPath(found.home, path);
  const move = `mv ${shellWord(path)} ${shellWord(`${path}.aside`)}`;
  const lead = `To move ${shown(name)} aside and recreate it from the logs:`;
  return run([move, `wisp fsck ${id} --repair`], lead);
}

function findCommit(facts: StepFacts, sha: string): FsckStep {
  const { found, clones, isHeldUp } = facts;
  const { id, repository } = found.session;
  const clone = clones.get(sha);
  if (clone !== undefined) {
    const kept = `refs/wisp/rescue/${id}/found-${sha.slice(0, 12)}`;
    const fetch = `git -C ${shellWord(repository)} fetch ${shellWord(clone)} ${sha}:${shellWord(kept)}`;
    return run(
      [fetch, `wisp fsck ${shellWord(id)}`],
      "A clone of the session has it. To fetch it and check again:",
    );
  }
  const lead = "No clone of the session has it. If you have it elsewhere, fetch it from there.";
  return isHeldUp ? closeSession(facts, lead) : continueSession(facts, lead);
}

function putBranchBack({ found, recorded, checkedOutAt }: StepFacts): FsckStep {
  const { id, branch, repository } = found.session;
  const lead =
    "If you want to keep the branch as it is now, copy it under another name first. To reset it to the last recorded commit and continue:";
  const up = `wisp up ${shellWord(id)}`;
  if (recorded === undefined) return run([up], "To continue:");
  const reset =
    checkedOutAt === undefined
      ? `git -C ${shellWord(repository)} branch --force ${shellWord(branch)} ${recorded}`
      : `git -C ${shellWord(checkedOutAt)} reset --keep ${recorded}`;
  return run([reset, up], lead);
}

function giveRequest({ found }: StepFacts): FsckStep {
  const { id, parent } = found.session;
  if (parent === undefined) {
    return run(
      [`wisp update <request.md> ${shellWord(id)}`],
      "To set the session's request again from a file of yours:",
    );
  }
  return run(
    [`wisp abandon ${shellWord(id)} --yes`, `wisp revise ${shellWord(parent.id)}`],
    "Its commits stay on the branch. To abandon the revision and request another one:",
  );
}

/** A home's folder has the id as its name; if that name is taken, this home is a copy. */
function renameHome({ found, hasHome }: StepFacts, named: string): FsckStep {
  const { directory } = found.home;
  const sessions = sessionsOf(found.home);
  const isCopy = hasHome(named);
  const aside = join(dirname(sessions), `${basename(directory)}.aside`);
  const to = isCopy ? aside : join(sessions, named);
  const lead = isCopy
    ? `${shown(named)} already has a home. To move this one out of the way:`
    : "While no role is working on it, rename the folder to the id of its session:";
  return run(
    [`mv ${shellWord(directory)} ${shellWord(to)}`, `wisp fsck ${shellWord(named)} --repair`],
    lead,
  );
}

function closeSession({ found }: StepFacts, before = ""): FsckStep {
  const command = `wisp abandon ${shellWord(found.session.id)}`;
  return run([command], `${before} To close the session and keep its commits:`.trim());
}
