import { execFileSync } from "node:child_process";

/** Somebody who runs wisp, and what their commands are started with. */
export interface User {
  readonly name: string;
  /** Words before those of the command. */
  readonly before: readonly string[];
}

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Who runs the test. */
export const MYSELF: User = { name: isRoot ? "root" : "an ordinary user", before: [] };

/** Who the attacks are tried as: root can play an ordinary user, who cannot play root. */
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

/** Gives a tree to who runs the commands; what a link leads to stays whose it is. */
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
