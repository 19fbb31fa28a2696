import type { CommandResult } from "../fs-protocol/command-result.ts";
import { shortSha } from "./describe-unit.ts";
import { because, sentence, type Sentence } from "./sentence.ts";

/** What tests as they stood before said of newer code. */
export function renderOldTests({ at, tests, outcome, reason }: CommandResult): Sentence {
  const words = { passed: "pass", failed: "fail", unstarted: "could not be run" };
  const since = tests === undefined ? "" : ` as they stood at ${shortSha(tests)}`;
  const tone = outcome === "failed" ? "bad" : "plain";
  return sentence(tone, `the tests${since} ${words[outcome]} at ${shortSha(at)}${because(reason)}`);
}
