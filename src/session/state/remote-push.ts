import type { Oid } from "../../base/oid.ts";
import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { BuilderFold } from "./builder-state.ts";
import { ask } from "./fold-build.ts";
import type { HumanFold } from "./fold-human.ts";

type RemotePush = Extract<BuilderRecord, { readonly kind: "remote.push" }>;

/** What a person decided about a remote branch that others changed. */
export type RemoteAnswer = "leave" | "merge" | "again";

/**
 * The answers with a meaning of their own, with the quotation marks in which a question may show
 * them.
 */
const DECISION = /^["'`]?(leave|merge)["'`]?$/i;

/**
 * `leave`: leave the remote alone from now on; `merge`: merge both histories; any other answer:
 * check the remote again.
 */
function remoteAnswerOf(text: string): RemoteAnswer {
  const [, match = ""] = DECISION.exec(text.trim()) ?? [];
  const decision = match.toLowerCase();
  return decision === "leave" || decision === "merge" ? decision : "again";
}

/**
 * Returns the answer to the open question about the remote in `builder.log`; undefined if there is
 * no such question or no answer yet.
 */
export function answerOnRemote(
  { remote }: Pick<BuilderFold, "remote">,
  { answers }: Pick<HumanFold, "answers">,
): RemoteAnswer | undefined {
  const text = remote.question === undefined ? undefined : answers.get(remote.question);
  return text === undefined ? undefined : remoteAnswerOf(text);
}

/**
 * Whether the branch, with its current head `head`, still has to be pushed at the end of the
 * session.
 */
export function isBehindRemote({ remote }: Pick<BuilderFold, "remote">, head: Oid | undefined) {
  return !remote.isLeft && remote.at !== head;
}

/** Applies the end of a remote unit, or its question to a person. */
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
