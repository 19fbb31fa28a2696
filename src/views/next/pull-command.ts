import { shellWord } from "../../base/words/shell-word.ts";

/** The command that merges a remote's branch into the local one and then returns to the previous branch. */
export function pullCommand({
  branch,
  remote,
}: {
  readonly branch: string;
  /** Name of the remote, or its URL without user and password. */
  readonly remote: string;
}): string {
  const [name, from] = [shellWord(branch), shellWord(remote)];
  return `git switch ${name} && git pull --no-rebase ${from} ${name} && git switch -`;
}
