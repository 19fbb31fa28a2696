import type { WorldFailure } from "../base/fatal.ts";
import type { CliFailure } from "./failures.ts";

/** The exit codes of every command. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  noSuchSession: 3,
  inputNeeded: 4,
  stuck: 5,
  leaseHeld: 6,
  interrupted: 130,
} as const;

const MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.ok, "it worked; of a session: complete"],
  [EXIT.failure, "something went wrong; the message says what"],
  [EXIT.usage, "the command line, the request or the settings cannot be used as they are"],
  [EXIT.noSuchSession, "there is no such session"],
  [EXIT.inputNeeded, "a person has to answer, and there is nobody to ask"],
  [EXIT.stuck, "the session is stuck or blocked, or one of its agents failed for good"],
  [EXIT.leaseHeld, "another process already does this"],
  [EXIT.interrupted, "interrupted by Ctrl-C"],
];

/** What they mean, one a line: the text of `wisp help exit-codes`. */
export function exitCodeTable(): string {
  return MEANINGS.map(([code, meaning]) => `${String(code).padStart(4)}  ${meaning}`).join("\n");
}

/** The exit code of a command that ended with a failure of this kind. */
export const FAILURE_EXIT_CODES: Readonly<Record<CliFailure["kind"], number>> = {
  "already-answered": EXIT.failure,
  "already-started": EXIT.usage,
  "answer-missing": EXIT.inputNeeded,
  "answer-too-long": EXIT.usage,
  "bad-branch-name": EXIT.usage,
  "bad-edit": EXIT.usage,
  "engine-speaks": EXIT.failure,
  bare: EXIT.usage,
  "branch-checked-out": EXIT.usage,
  "branch-exists": EXIT.usage,
  "builder-writes": EXIT.leaseHeld,
  "branch-rewritten": EXIT.stuck,
  cassette: EXIT.usage,
  "cassette-missing": EXIT.usage,
  config: EXIT.usage,
  "demo-directory": EXIT.usage,
  "engine-missing": EXIT.usage,
  file: EXIT.failure,
  "finding-closed": EXIT.failure,
  git: EXIT.failure,
  "home-damaged": EXIT.failure,
  "home-removed": EXIT.failure,
  "illegal-review": EXIT.failure,
  "illegal-transition": EXIT.failure,
  "lease-held": EXIT.leaseHeld,
  "no-commits": EXIT.usage,
  "no-engine": EXIT.usage,
  "no-identity": EXIT.usage,
  "no-sandbox": EXIT.usage,
  "no-such-finding": EXIT.usage,
  "no-such-place": EXIT.usage,
  "no-terminal": EXIT.inputNeeded,
  "not-interactive": EXIT.failure,
  "no-such-question": EXIT.usage,
  "no-such-session": EXIT.noSuchSession,
  "not-a-repository": EXIT.usage,
  "not-green": EXIT.stuck,
  "not-reviewed": EXIT.stuck,
  "nothing-asked": EXIT.failure,
  "pull-request": EXIT.failure,
  remote: EXIT.failure,
  "request-binary": EXIT.usage,
  "request-empty": EXIT.usage,
  "request-missing": EXIT.usage,
  "request-no-file": EXIT.usage,
  "request-plan": EXIT.usage,
  "request-too-large": EXIT.usage,
  reviewers: EXIT.usage,
  "session-closed": EXIT.failure,
  "session-damaged": EXIT.failure,
  "session-elsewhere": EXIT.failure,
  "session-later": EXIT.failure,
  spawn: EXIT.failure,
  "is-revision": EXIT.usage,
  "nobody-to-ask": EXIT.inputNeeded,
  "no-revision-plan": EXIT.failure,
  "stale-diff": EXIT.usage,
  "revision-unfinished": EXIT.failure,
  "revisions-spent": EXIT.failure,
  "still-at-work": EXIT.leaseHeld,
  "supervisor-gone": EXIT.failure,
  tasks: EXIT.failure,
  declined: EXIT.failure,
  unconfirmed: EXIT.inputNeeded,
  "unknown-engine": EXIT.usage,
  untrusted: EXIT.inputNeeded,
  usage: EXIT.usage,
};

/** Whether a failure of the world is one that commands know how to explain. */
export function isCliFailure(failure: WorldFailure): failure is CliFailure {
  return failure.kind in FAILURE_EXIT_CODES;
}
