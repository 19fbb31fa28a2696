import { execFileSync } from "node:child_process";

/** A user who runs wisp, and how their commands are started. */
export interface User {
  readonly name: string;
  /** Arguments before those of the command. */
  readonly before: readonly string[];
  /** Who owns the files that they work with; absent: whoever runs the test. */
  readonly id?: number;
}

const NOBODY = 65_534;
/** Of no account, as `docker run --user` and Kubernetes' `runAsUser` give it. */
const NO_ACCOUNT = 42_424;
const isRoot = process.geteuid?.() === 0;

/** The user who runs the test. */
export const MYSELF: User = { name: isRoot ? "root" : "an ordinary user", before: [] };

/** The users as whom the attacks are tried: root can act as an ordinary user, but not the reverse. */
export const USERS: readonly User[] = isRoot
  ? [MYSELF, userOf("an ordinary user", NOBODY)]
  : [{ name: "an ordinary user (as root: skipped, since we are not)", before: [] }];

/** A user whom the account database does not know; only root can act as one. */
export const UNLISTED: User | undefined = isRoot
  ? userOf("a user without an account", NO_ACCOUNT)
  : undefined;

function userOf(name: string, id: number): User {
  const ids = [`--reuid=${String(id)}`, `--regid=${String(id)}`];
  return { name, id, before: ["setpriv", ...ids, "--clear-groups", "--"] };
}

/** Gives a tree to the user who runs the commands; targets of links keep their owner. */
export function giveTree(path: string, { id }: User): void {
  if (id === undefined) return;
  execFileSync("chown", ["-R", "-h", `${String(id)}:${String(id)}`, path]);
}

/** A command as that user runs it. */
export function commandOf(
  { before }: User,
  ...command: readonly [string, ...string[]]
): readonly [string, ...string[]] {
  const [first, ...rest] = before;
  return first === undefined ? command : [first, ...rest, ...command];
}
