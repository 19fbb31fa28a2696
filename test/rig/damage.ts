import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";

/** Something that happens to one path of a home at rest. */
export interface Damage {
  readonly path: string;
  readonly how: "removed" | "link" | "pipe" | "directory" | "file";
}

const DIRECTORIES = ["logs", "logs/turns", "plans", "locks", "."] as const;
const FILES = [
  "session.json",
  "request.md",
  "TASKS.md",
  "PROGRESS.txt",
  "logs/planner.log",
  "logs/builder.log",
  "logs/reviewer.log",
  "logs/tester.log",
  "logs/human.log",
  "logs/supervisor.log",
  "logs/milestones.log",
  "logs/reviewer.checkpoint",
  "logs/tester.milestone",
  "locks/builder.lock",
  "locks/supervisor.lock",
  "logs/human.log.lock",
] as const;

/** Any few of the files and directories of a home, each removed or with something else in its place. */
export const arbitraryDamages: fc.Arbitrary<readonly Damage[]> = fc.uniqueArray(
  fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({
        path: fc.constantFrom(...DIRECTORIES.filter((path) => path !== ".")),
        how: fc.constantFrom("removed" as const, "link" as const, "pipe" as const, "file" as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant<Damage>({ path: ".", how: "removed" }) },
    {
      weight: 6,
      arbitrary: fc.record({
        path: fc.constantFrom(...FILES),
        how: fc.constantFrom(
          "removed" as const,
          "link" as const,
          "pipe" as const,
          "directory" as const,
        ),
      }),
    },
  ),
  { minLength: 1, maxLength: 5, selector: ({ path }) => path },
);

/** Does the damage; a link leads to the original, which is moved below `elsewhere`. */
export function doDamage(home: string, elsewhere: string, { path, how }: Damage): void {
  const at = join(home, path);
  if (lstatSync(dirname(at), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  if (how === "link") {
    const to = join(mkdtempSync(join(elsewhere, "moved-")), basename(at));
    if (existsSync(at)) renameSync(at, to);
    symlinkSync(to, at);
    return;
  }
  rmSync(at, { recursive: true, force: true });
  if (how === "pipe") execFileSync("mkfifo", [at]);
  if (how === "directory") mkdirSync(at);
  if (how === "file") writeFileSync(at, "mine\n");
}

/** The damages in words, for messages of tests. */
export function damageWords(damages: readonly Damage[]): string {
  return damages.map(({ path, how }) => `${path} ${how}`).join(", ");
}
