import type { WorldFailure } from "../base/fatal.ts";
import { EXIT, FAILURE_EXIT_CODES, isCliFailure } from "./exit-codes.ts";
import { explainAnswer } from "./explain-answer.ts";
import { explainAttach } from "./explain-attach.ts";
import { explainClosing, type ClosingFailure } from "./explain-closing.ts";
import { explainEngine } from "./explain-engine.ts";
import { explainFindings } from "./explain-findings.ts";
import { explainHome } from "./explain-home.ts";
import { explainRepository } from "./explain-repository.ts";
import { explainRequest, explainStarted } from "./explain-request.ts";
import { explainReview, type ReviewFailure } from "./explain-review.ts";
import { explainSession } from "./explain-session.ts";
import { explainSystem, type SystemFailure } from "./explain-system.ts";
import { shown, type Explanation, type Words } from "./explanation.ts";
import type { HomeFailure } from "./home-failures.ts";
import { explainRevision } from "./explain-revision.ts";
import type {
  AlreadyStarted,
  AttachFailure,
  CliFailure,
  FindingsFailure,
  RevisionFailure,
} from "./failures.ts";

/** The one renderer of words for people: every failure that a command may end with. */
export function explain(failure: CliFailure): Explanation {
  const [message, hint, ...lines] = wordsOf(failure);
  const details = lines.flatMap((line) => (typeof line === "string" ? [] : [line.detail]));
  const next = lines.filter((line) => typeof line === "string");
  const exitCode = FAILURE_EXIT_CODES[failure.kind];
  return { code: failure.kind, message, hint, details, next, exitCode };
}

/** Words for what ended a process that could not go on. */
export function explainWorld(failure: WorldFailure): Explanation {
  if (isCliFailure(failure)) return explain(failure);
  const message = `It cannot go on: ${shown(JSON.stringify(failure))}`;
  const hint = "What was done before is on record; the same command goes on from there.";
  return { code: failure.kind, message, hint, details: [], next: [], exitCode: EXIT.failure };
}

function wordsOf(failure: CliFailure): Words {
  switch (failure.kind) {
    case "not-a-repository":
    case "bare":
    case "no-commits":
    case "no-identity":
    case "bad-branch-name":
    case "branch-exists":
    case "branch-checked-out":
    case "branch-rewritten":
    case "untrusted":
      return explainRepository(failure);
    case "request-missing":
    case "request-empty":
    case "request-no-file":
    case "request-binary":
    case "request-too-large":
    case "request-plan":
      return explainRequest(failure);
    case "no-such-session":
    case "session-elsewhere":
    case "session-damaged":
    case "session-later":
    case "lease-held":
    case "bad-edit":
    case "builder-writes":
    case "engine-speaks":
    case "illegal-transition":
    case "supervisor-gone":
      return explainSession(failure);
    case "config":
    case "reviewers":
    case "no-engine":
    case "unknown-engine":
    case "engine-missing":
    case "cassette":
    case "cassette-missing":
    case "no-sandbox":
      return explainEngine(failure);
    case "nothing-asked":
    case "no-such-question":
    case "already-answered":
    case "answer-missing":
    case "answer-too-long":
      return explainAnswer(failure);
    default:
      return wordsOfOthers(failure);
  }
}

function wordsOfOthers(
  failure:
    | SystemFailure
    | AlreadyStarted
    | ClosingFailure
    | HomeFailure
    | AttachFailure
    | FindingsFailure
    | ReviewFailure
    | RevisionFailure,
): Words {
  switch (failure.kind) {
    case "home-damaged":
    case "home-removed":
      return explainHome(failure);
    case "already-started":
      return explainStarted(failure);
    case "no-such-finding":
    case "no-such-place":
    case "finding-closed":
      return explainFindings(failure);
    case "is-revision":
    case "nobody-to-ask":
    case "no-revision-plan":
      return explainRevision(failure);
    case "no-terminal":
    case "not-interactive":
      return explainAttach(failure);
    case "not-green":
    case "remote":
    case "pull-request":
    case "session-closed":
    case "revision-unfinished":
    case "still-at-work":
    case "declined":
    case "unconfirmed":
      return explainClosing(failure);
    case "illegal-review":
    case "not-reviewed":
    case "stale-diff":
    case "revisions-spent":
      return explainReview(failure);
    default:
      return explainSystem(failure);
  }
}
