import type { Declined, Unconfirmed } from "./confirm-failures.ts";
import type { FileFailure } from "../base/files.ts";
import type { LeaseHeld } from "../base/locks.ts";
import type { SpawnFailure } from "../base/processes.ts";
import type { Role } from "../base/role.ts";
import type { GitFailure } from "../base/repo.ts";
import type { TasksFailure } from "../fs-protocol/tasks-md.ts";
import type { BadBranchName, BranchExists } from "../git/branches.ts";
import type { NoIdentity } from "../git/identity.ts";
import type { RepositoryFailure } from "../git/repository.ts";
import type { ReviewersFailure } from "../settings/read-reviewers.ts";
import type { EngineSpeaks, SessionClosed } from "./append-human.ts";
import type { IllegalTransition, WispState } from "../fs-protocol/session-machine.ts";
import type { IllegalReview } from "../fs-protocol/review-machine.ts";
import type { HomeFailure } from "./home-failures.ts";
import type { FindFailure } from "./find-session.ts";
import type { NotReviewed } from "./later-facts.ts";
import type { RequestFailure } from "./read-request.ts";
import type { SettingsFailure } from "./read-settings.ts";
import type { EnginesFailure, NoSandbox } from "./engine-failures.ts";

/** There is a session of the same request, and no person has closed it. */
export interface AlreadyStarted {
  readonly kind: "already-started";
  readonly session: string;
  readonly branch: string;
  /** The request, as it was named. */
  readonly path: string;
  /** `complete`: its work waits for a person. */
  readonly stands: "running" | "unfinished" | "complete";
}

/** The branch that a session is to get is checked out in a work tree. */
export interface BranchCheckedOut {
  readonly kind: "branch-checked-out";
  readonly branch: string;
  readonly directory: string;
}

/** Why a branch cannot be a session's. */
export type BranchFailure = BadBranchName | BranchExists | BranchCheckedOut;

/** A person rewrote or deleted the branch of a session. */
export interface BranchRewritten {
  readonly kind: "branch-rewritten";
  readonly session: string;
  readonly branch: string;
  readonly repository: string;
  /** The last commit that the session has on record. */
  readonly recorded: string;
}

/** A command asked a session for what its state does not allow. */
export interface IllegalCommand extends IllegalTransition {
  readonly session: string;
  readonly state: WispState;
}

/** A person's edit of TASKS.md that cannot be taken over. */
export interface BadEdit {
  readonly kind: "bad-edit";
  readonly session: string;
  /** From 1. */
  readonly line: number;
  readonly problem: string;
  /** Name of the file where it is not TASKS.md itself. */
  readonly file?: string | undefined;
}

/** A TASKS.md was to be adopted while a builder, who alone writes it then, is at work. */
export interface BuilderWrites {
  readonly kind: "builder-writes";
  readonly session: string;
}

/** Why nobody was attached to a role's engine. */
export type AttachFailure =
  /** A person has to be at a terminal. */
  | { readonly kind: "no-terminal"; readonly session: string; readonly role: Role }
  /** The engine takes turns only. */
  | {
      readonly kind: "not-interactive";
      readonly role: Role;
      readonly engine: string;
      /** The role's clone. */
      readonly directory: string;
    };

/** What can be wrong with an answer to a question. */
export type AnswerFailure =
  | { readonly kind: "nothing-asked"; readonly session: string }
  | {
      readonly kind: "no-such-question";
      readonly session: string;
      readonly asked: string;
      readonly open: readonly string[];
    }
  | { readonly kind: "already-answered"; readonly session: string; readonly question: string }
  /** There is a question, no answer in the command, and nobody to ask. */
  | {
      readonly kind: "answer-missing";
      readonly session: string;
      readonly questions: readonly { readonly id: string; readonly ask: string }[];
    }
  | { readonly kind: "answer-too-long"; readonly chars: number; readonly charsMax: number };

/** There is no such file, or no such line in it, at the head of the session branch. */
export interface NoSuchPlace {
  readonly kind: "no-such-place";
  readonly branch: string;
  readonly file: string;
  readonly line: number | undefined;
  /** How many lines the file has; undefined where there is no such file. */
  readonly lines: number | undefined;
}

/** What can be wrong with what a person says of findings. */
export type FindingsFailure =
  | {
      readonly kind: "no-such-finding";
      readonly session: string;
      readonly asked: string;
      readonly known: readonly string[];
    }
  | { readonly kind: "finding-closed"; readonly session: string; readonly id: string }
  | NoSuchPlace;

/** The supervisor of a session ended before its work was done, and so did those that took over. */
export interface SupervisorGone {
  readonly kind: "supervisor-gone";
  readonly session: string;
  /** What the last one said of it. */
  readonly said: string | undefined;
  /** What is wrong with the session's home, as far as one can see. */
  readonly trouble: string | undefined;
}

/** The command line says something that wisp does not understand. */
export interface Usage {
  readonly kind: "usage";
  readonly problem: string;
}

export interface DemoDirectory {
  readonly kind: "demo-directory";
  readonly directory: string;
}

/** A session is to be taken that is not complete, with what is in the way. */
export interface NotGreen {
  readonly kind: "not-green";
  readonly session: string;
  readonly problems: readonly string[];
  /** The commands that lead on, as status names them. */
  readonly next: readonly string[];
}

/** The branch could not be brought to the user's remote. */
export interface RemoteFailure {
  readonly kind: "remote";
  readonly session: string;
  readonly branch: string;
  readonly remote: string;
  /** `rejected`: its branch has commits that ours lacks. */
  readonly why: "rejected" | "unreachable" | "refused";
  readonly message: string;
}

/** The branch is pushed, but `gh` opened no pull request. */
export interface PullRequestFailure {
  readonly kind: "pull-request";
  readonly session: string;
  readonly message: string;
}

/** A session has a revision that has not ended: until then there is no other one, and it does not go on itself. */
export interface RevisionUnfinished {
  readonly kind: "revision-unfinished";
  readonly session: string;
  readonly revision: string;
}

/** What revisions have to say against a command. */
export type RevisionFailure =
  /** A command that is for the session that a revision mends was asked of the revision. */
  | {
      readonly kind: "is-revision";
      readonly session: string;
      readonly parent: string;
      readonly asked: "revise" | "update";
    }
  /** Problems are to be described, or a plan is to be approved, and there is nobody to ask. */
  | {
      readonly kind: "nobody-to-ask";
      readonly session: string;
      readonly missing: "problems" | "approval" | "answer";
      /** What the planner asks, where an answer is missing. */
      readonly question?: string | undefined;
      /** Words of a command that name the problems again, for a shell. */
      readonly again?: string | undefined;
    }
  /** The planner's engine made no plan of a revision that can be taken. */
  | {
      readonly kind: "no-revision-plan";
      readonly session: string;
      readonly reason: string;
      /** The file in which the problems are kept. */
      readonly problems: string;
      /** The engine whose turn failed; absent: no turn did. */
      readonly engine?: string | undefined;
      /** The file with what the engine printed last. */
      readonly output?: string | undefined;
    };
/** Finished work was asked for what its state does not allow. */
export interface IllegalReviewed extends IllegalReview {
  readonly session: string;
}

/** What was looked at is not how the work stands now. */
export interface StaleDiff {
  readonly kind: "stale-diff";
  readonly session: string;
  readonly asked: string;
  /** The id of how it stands now; undefined: its branch is gone. */
  readonly now: string | undefined;
}

/** Reviews have asked for as many revisions as they may. */
export interface RevisionsSpent {
  readonly kind: "revisions-spent";
  readonly session: string;
  readonly max: number;
}

/** Processes of a session did not leave in time. */
export interface StillAtWork {
  readonly kind: "still-at-work";
  readonly session: string;
  readonly alive: readonly string[];
}

/** Nobody has agreed to the commands that a repository's settings name, and nobody is there to be asked. */
export interface Untrusted {
  readonly kind: "untrusted";
  /** The command that agrees to them. */
  readonly command: string;
}

/** Everything of the world that can keep a command from being done. */
export type CliFailure =
  | AlreadyStarted
  | AnswerFailure
  | AttachFailure
  | BadEdit
  | BuilderWrites
  | BranchFailure
  | BranchRewritten
  | DemoDirectory
  | EngineSpeaks
  | EnginesFailure
  | FileFailure
  | FindFailure
  | FindingsFailure
  | GitFailure
  | HomeFailure
  | IllegalCommand
  | IllegalReviewed
  | LeaseHeld
  | NoIdentity
  | NoSandbox
  | RepositoryFailure
  | RequestFailure
  | ReviewersFailure
  | SettingsFailure
  | SpawnFailure
  | StaleDiff
  | SupervisorGone
  | TasksFailure
  | NotGreen
  | NotReviewed
  | PullRequestFailure
  | RemoteFailure
  | RevisionFailure
  | RevisionsSpent
  | RevisionUnfinished
  | SessionClosed
  | StillAtWork
  | Declined
  | Unconfirmed
  | Untrusted
  | Usage;
