import { minute } from "../../fs-protocol/findings/entry-text.ts";
import { givenUpRef } from "./closed-commands.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { laterWords } from "../../workspace/finished/later-command.ts";
import { sentence, type Sentence } from "../../base/words/sentence.ts";
import type { StatusView } from "../status/status-view.ts";

/** What became of the work of a closed session, where the work is, and what is still to be shipped. */
export function closedSentences(view: StatusView): Sentence[] {
  const { closed, laterCommits, reviewedTo } = view;
  if (closed?.how !== "done") return [givenUpSentence(view)];
  const later = laterWords({ count: laterCommits, after: reviewedTo });
  return [
    sentence("plain", takenWords(view, closed)),
    ...(closed.url === undefined ? [] : [sentence("good", closed.url)]),
    ...(laterCommits === 0 ? [] : [sentence("ask", later)]),
    ...leftSentences(view),
  ];
}

function takenWords({ branch, head }: StatusView, closed: NonNullable<StatusView["closed"]>) {
  const when = closed.time === undefined ? "" : `it was shipped on ${minute(closed.time)}; `;
  const at = closed.at ?? head;
  const on = at === undefined ? branch : `${branch} at ${shortSha(at)}`;
  const pushed = closed.remote === undefined ? "not pushed" : `pushed to ${closed.remote}`;
  const now =
    head === at
      ? ""
      : `; the branch is ${head === undefined ? "gone" : `at ${shortSha(head)} now`}`;
  return `${when}its work is on ${on}, ${pushed}${now}`;
}

function leftSentences({ closed, isRevisedSince, laterCommits, stage, next }: StatusView) {
  if (isRevisedSince === true) {
    const then = laterCommits === 0 ? "wisp done ships that, too" : "wisp done then ships that";
    return [sentence("ask", `it was revised since: ${then}`)];
  }
  const isLeft = stage === "pushed" || next.some((command) => command.startsWith("wisp done "));
  if (closed === undefined || !isLeft) return [];
  return [sentence("ask", "cleanup is not complete: wisp done finishes it")];
}

/** A branch that is checked out stays in place, and so does the branch of a revision. */
function givenUpSentence({ session, branch, head, parent }: StatusView): Sentence {
  if (parent !== undefined) {
    return sentence(
      "plain",
      `what it published stays on ${branch}, the branch of ${parent.session}`,
    );
  }
  const stays = head === undefined ? "" : `; ${branch} still exists, at ${shortSha(head)}`;
  return sentence("plain", `its branch is kept as ${givenUpRef(session)}${stays}`);
}
