import { execFileSync } from "node:child_process";

/** A user who runs wisp, and how their commands are started. */
export interface User {
  readonly name: string;
  /** Arguments before those of the command. */
  readonly before: readonly string[];
}

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

/** The user who runs the test. */
export const MYSELF: User = { name: isRoot ? "root" : "an ordinary user", before: [] };

/** The users as whom the attacks are tried: root can act as an ordinary user, but not the reverse. */
export const USERS: readonly User[] = isRoot
  ? [
      MYSELF,
      {
        name: "an ordinary user",
        before: [
          ...["setpriv", `--reuid=${String(NOBODY)}`, `--regid=${String(NOBODY)}`],
          ...["--clear-groups", "--"],
        ],
      },
    ]
  : [{ name: "an ordinary user (as root: skipped, since we are not)", before: [] }];

/** Gives a tree to the user who runs the commands; targets of links keep their owner. */
export function giveTree(path: string, { before }: User): void {
  if (before.length === 0) return;
  execFileSync("chown", ["-R", "-h", `${String(NOBODY)}:${String(NOBODY)}`, path]);
}

/** A command as that user runs it. */
export function commandOf(
  { before }: User,
  ...command: readonly [string, ...string[]]
): readonly [string, ...string[]] {
  const [first, ...rest] = before;
  return first === undefined ? command : [first, ...rest, ...command];
}
