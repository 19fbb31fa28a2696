import type { Declined, Unconfirmed } from "./confirm-failures.ts";
import { inSentences } from "../base/in-sentences.ts";
import type { SessionClosed } from "./append-human.ts";
import { shown, type Words } from "./explanation.ts";
import type {
  NotGreen,
  PullRequestFailure,
  RemoteFailure,
  RevisionUnfinished,
  StillAtWork,
} from "./failures.ts";
import { pullCommand } from "./pull-command.ts";
import { shellWord } from "./shell-word.ts";

/** What keeps a session from being taken or given up. */
export type ClosingFailure =
  | NotGreen
  | PullRequestFailure
  | RemoteFailure
  | RevisionUnfinished
  | SessionClosed
  | StillAtWork
  | Declined
  | Unconfirmed;

/** Words for what keeps a session from being taken or given up, and for one that was. */
export function explainClosing(failure: ClosingFailure): Words {
  switch (failure.kind) {
    case "not-green":
      return [
        inSentences(
          `${shown(failure.session)} is not complete: ${failure.problems.map(shown).join("; ")}`,
        ),
        "Nothing was pushed and nothing removed. To see what is left, and to go on:",
        `wisp status ${shellWord(failure.session)}`,
        ...failure.next,
      ];
    case "remote":
      return explainRemote(failure);
    case "pull-request":
      return [
        inSentences(`gh opened no pull request: ${shown(failure.message)}`),
        "The branch is pushed, and nothing was removed. Repair it and say it again, or open it yourself:",
        "gh auth status",
        `wisp done ${shellWord(failure.session)}`,
        `wisp done ${shellWord(failure.session)} --no-pr`,
      ];
    case "session-closed":
      return explainClosed(failure);
    case "revision-unfinished":
      return [
        `${shown(failure.revision)} has not ended: a branch is worked on by one session at a time.`,
        "Go on with it, or give it up:",
        `wisp resume ${shellWord(failure.revision)}`,
        `wisp abandon ${shellWord(failure.revision)}`,
      ];
    case "still-at-work":
      return [
        `Still at work on ${shown(failure.session)}: ${failure.alive.map(shown).join(", ")}.`,
        "They were asked to end. When they have, say it again:",
        "wisp status",
      ];
    case "declined":
      return ["You said no. Nothing was done.", "To do it all the same:", failure.command];
    case "unconfirmed":
      return [
        failure.why ?? "That cannot be taken back, and nobody is there to confirm it.",
        "To do it all the same:",
        failure.command,
      ];
  }
}

function explainRemote({ session, branch, remote, why, message }: RemoteFailure): Words {
  const at = `${shown(remote)}, branch '${shown(branch)}'`;
  const again = `wisp done ${shellWord(session)}`;
  switch (why) {
    case "rejected":
      return [
        `${at} has commits that this one lacks: somebody else pushed there.`,
        "wisp forces nothing, and nothing was removed. Merge them, have them reviewed and tested, and say it again; or take the work without the remote:",
        pullCommand({ branch, remote }),
        `wisp resume ${shellWord(session)}`,
        again,
        `${again} --no-push`,
      ];
    case "unreachable":
      return [
        inSentences(`${shown(remote)} was not reached: ${shown(message)}`),
        "Nothing was removed. To try again, or to do without a remote:",
        again,
        `${again} --no-push`,
      ];
    case "refused":
      return [
        inSentences(`${at} was refused by the remote: ${shown(message)}`),
        "A rule of the remote's keeps it out. Nothing was removed; when it is settled:",
        again,
      ];
  }
}

function explainClosed({ session, how, url }: SessionClosed): Words {
  const at = url === undefined ? "" : ` (${shown(url)})`;
  if (how === "rejected") {
    return [
      `${shown(session)} was rejected, and goes on no more.`,
      "Its commits are kept under a reference of their own. To look at them:",
      `git log refs/wisp/rescue/${shellWord(session)}/abandoned`,
    ];
  }
  return how === "done"
    ? [
        `${shown(session)} is done${at}: its work was taken, and it goes on no more.`,
        "What is still to change is a revision of it, which `wisp done` takes in its turn, or a new request:",
        `wisp revise ${shellWord(session)}`,
        "wisp start request.md",
      ]
    : [
        `${shown(session)} was given up, and goes on no more.`,
        "Its commits are kept under a reference of their own. To look at them:",
        `git log refs/wisp/rescue/${shellWord(session)}/abandoned`,
      ];
}
