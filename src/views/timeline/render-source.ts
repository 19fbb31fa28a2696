import type { CommandResult } from "../../fs-protocol/records/command-result.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { because, sentence, type Sentence } from "../../base/words/sentence.ts";

/** Whether verify notices that code cannot be loaded, as a sentence; `reason` names the modules. */
export function renderSource({
  at,
  outcome,
  reason = "",
}: Pick<CommandResult, "at" | "outcome" | "reason">): Sentence {
  const words = {
    passed: `verify is green at ${shortSha(at)} also when ${reason} cannot be loaded`,
    failed: `verify noticed at ${shortSha(at)} that ${reason} cannot be loaded`,
    unstarted: `whether verify loads the code of its tree is not known${because(reason)}`,
  };
  return sentence(outcome === "passed" ? "bad" : "faint", words[outcome]);
}
