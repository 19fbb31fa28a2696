import { CHECKS, type CommandResult } from "../../fs-protocol/records/command-result.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { because, sentence, type Sentence } from "../../base/words/sentence.ts";

/** The result of running earlier tests against newer code, as a sentence. */
export function renderOldTests({
  at,
  tests,
  harness,
  command,
  outcome,
  reason,
}: CommandResult): Sentence {
  const words = { passed: "pass", failed: "fail", unstarted: "could not be run" };
  const since = tests === undefined ? "" : ` as they stood at ${shortSha(tests)}`;
  const around = command.includes(CHECKS)
    ? ", run by their own checks alone,"
    : ", with all that ran them then,";
  const by = harness === undefined ? "" : around;
  const tone = outcome === "failed" ? "bad" : "plain";
  return sentence(
    tone,
    `the tests${since}${by} ${words[outcome]} at ${shortSha(at)}${because(reason)}`,
  );
}
