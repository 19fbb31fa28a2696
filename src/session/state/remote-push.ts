import type { Oid } from "../../base/oid.ts";
import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { BuilderFold } from "./builder-state.ts";
import { ask } from "./fold-build.ts";
import type { HumanFold } from "./fold-human.ts";

type RemotePush = Extract<BuilderRecord, { readonly kind: "remote.push" }>;

/** What a person's answer says about a remote that moved. */
export type RemoteAnswer = "leave" | "merge" | "again";

/** The words that decide, as a question may quote them. */
const DECIDES = /^["'`]?(leave|merge)["'`]?$/i;

/** `leave`: do nothing with the remote any more; `merge`: join both histories; everything else: look again. */
function remoteAnswerOf(text: string): RemoteAnswer {
  const [, word = ""] = DECIDES.exec(text.trim()) ?? [];
  const said = word.toLowerCase();
  return said === "leave" || said === "merge" ? said : "again";
}

/** The answer to the question about the remote that stands open in `builder.log`; undefined: there is none. */
export function answerOnRemote(
  { remote }: Pick<BuilderFold, "remote">,
  { answers }: Pick<HumanFold, "answers">,
): RemoteAnswer | undefined {
  const text = remote.question === undefined ? undefined : answers.get(remote.question);
  return text === undefined ? undefined : remoteAnswerOf(text);
}

/** Whether the branch is still to be brought to the remote, with `head` as it stands: at the end. */
export function isBehindRemote({ remote }: Pick<BuilderFold, "remote">, head: Oid | undefined) {
  return !remote.isLeft && remote.at !== head;
}

/** A look at the remote ends, or waits for a person. */
export function foldRemotePush(fold: BuilderFold, record: RemotePush): BuilderFold {
  const { outcome, at, reason, question, unit } = record;
  const open = unit !== undefined && fold.open?.unit === unit ? undefined : fold.open;
  if (outcome === "needs_input") {
    const questions = ask(fold.questions, { ...record, unit: unit ?? "remote" });
    return { ...fold, open, questions, remote: { ...fold.remote, question } };
  }
  const ended = {
    ...fold.remote,
    ended: fold.remote.ended + 1,
    isDue: false,
    at,
    failure: outcome === "failed" ? (reason ?? "git does not say why") : undefined,
    question: undefined,
  };
  const isLeft = outcome === "left" || ended.isLeft;
  const push = outcome === "pushed" ? { pushed: at, pushedMs: Date.parse(record.time) } : {};
  return { ...fold, open, remote: { ...ended, isLeft, ...push } };
}
