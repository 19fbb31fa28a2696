import { shellWord } from "../../base/words/shell-word.ts";

/** What merges the commits of a remote's branch into the one here, and goes back to where the person was. */
export function pullCommand({
  branch,
  remote,
}: {
  readonly branch: string;
  /** Its name, or its URL without user and password. */
  readonly remote: string;
}): string {
  const [name, from] = [shellWord(branch), shellWord(remote)];
  return `git switch ${name} && git pull --no-rebase ${from} ${name} && git switch -`;
}
