import { shortSha } from "../session/describe-unit.ts";
import type { LaterCommits } from "./later-facts.ts";
import { count } from "../../base/words/sentence.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/**
 * The command that gets later commits reviewed; creates a revision if every session that could
 * review them is closed.
 *
 * @param top id of the session that the work belongs to
 */
export function laterCommand({ by }: Pick<LaterCommits, "by">, top: string): string {
  return by === undefined ? `wisp revise ${shellWord(top)}` : `wisp resume ${shellWord(by)}`;
}

/** `2 commits after 725584e54c are not reviewed`. */
export function laterWords(later: Pick<LaterCommits, "count" | "after">): string {
  const after = later.after === undefined ? "" : ` after ${shortSha(later.after)}`;
  return `${count(later.count, "commit")}${after} ${later.count === 1 ? "is" : "are"} not reviewed`;
}
