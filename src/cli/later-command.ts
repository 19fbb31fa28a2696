import type { LaterCommits } from "./later-commits.ts";
import { shellWord } from "./shell-word.ts";

/**
 * The command that has later commits reviewed. Where everything that could review them is closed, a revision does.
 *
 * @param top id of the session whose work it is
 */
export function laterCommand({ by }: Pick<LaterCommits, "by">, top: string): string {
  return by === undefined ? `wisp revise ${shellWord(top)}` : `wisp resume ${shellWord(by)}`;
}
