import type { Exit, Play } from "./engine-turn.ts";
import type { Noise, Trouble } from "./noise.ts";
import { testsIn, type ProjectTest, type TestsOfTree } from "./noisy-project.ts";
import type { CommandWorld } from "./scene.ts";

/*
 * The test runner of a noisy session: it prints what vitest prints, of the tests that are in the tree. What it shows may be
 * due to chance; the noise keeps the truth.
 */

/** How the suite is run. */
export type RunnerKind =
  /** vitest itself: what failed can be run alone. */
  | "narrowable"
  /** A script, which names what failed. */
  | "named"
  /** A script that says no more than that something failed. */
  | "silent";

export const VERIFY: Readonly<Record<RunnerKind, readonly [string, ...string[]]>> = {
  narrowable: ["vitest", "run"],
  named: ["./check"],
  silent: ["./check", "--quiet"],
};

/** Longer than any time limit of a session. */
const HANGS_MS = 20 * 60_000;

/** Runs the suite, or a part of it; undefined if this is no command of the project. */
export function suiteRun(world: CommandWorld, noise: Noise): Play | undefined {
  const [program = ""] = world.argv;
  return program === "vitest" || program === "./check" ? play(world, noise) : undefined;
}

function* play(world: CommandWorld, noise: Noise): Play {
  const { argv, work, random } = world;
  const chosen = chosenOf(argv, testsIn(work));
  const trouble = noise.draw(world, chosen);
  yield random.between(5, 200);
  switch (trouble.kind) {
    case "hang":
      yield HANGS_MS;
      return { exitCode: 1, stdout: "" };
    case "signal":
      return { exitCode: 1, stdout: "", signalName: trouble.name };
    case "crash":
      return { exitCode: 1, stdout: "Error: the worker went away\n" };
    case "full":
      return { exitCode: 1, stdout: "Error: ENOSPC: no space left on device, write\n" };
    case "none":
    case "red":
      return shownBy(argv, chosen, trouble);
  }
}

/** The tests that these arguments choose: files, and a pattern of titles. */
function chosenOf(argv: readonly string[], { tests, unloaded }: TestsOfTree): TestsOfTree {
  const files = argv.filter((word) => word.endsWith(".test.js"));
  const at = argv.indexOf("-t");
  const pattern = at < 0 ? /^/ : new RegExp(argv[at + 1] ?? "");
  const isChosen = (file: string) => files.length === 0 || files.includes(file);
  return {
    tests: tests.filter(({ file, title }) => isChosen(file) && pattern.test(title)),
    unloaded: unloaded.filter(isChosen),
  };
}

function shownBy(
  argv: readonly string[],
  { tests, unloaded }: TestsOfTree,
  trouble: Extract<Trouble, { readonly kind: "none" | "red" }>,
): Exit {
  const byChance = trouble.kind === "red" ? trouble.tests : [];
  const isRed = (test: ProjectTest) => !test.isPassing || byChance.includes(test);
  const failed = tests.filter(isRed);
  const exitCode = failed.length + unloaded.length > 0 ? 1 : 0;
  if (argv.includes("--quiet")) {
    return { exitCode, stdout: exitCode === 0 ? "checked\n" : "something failed\n" };
  }
  const nameOf = ({ file, title }: ProjectTest) => `${file} > ${title}`;
  const passed = tests.filter((test) => !isRed(test));
  const lines = [
    ...(argv.includes("--reporter=verbose") ? passed.map((test) => ` ✓ ${nameOf(test)} 1ms`) : []),
    ...unloaded.map((file) => ` FAIL  ${file} [ ${file} ]\nError: Failed to load it\n`),
    ...failed.map((test) => ` FAIL  ${nameOf(test)}\nAssertionError: expected it to be there\n`),
    `      Tests  ${[
      ...(failed.length > 0 ? [`${String(failed.length)} failed`] : []),
      `${String(passed.length)} passed`,
    ].join(" | ")} (${String(tests.length)})`,
  ];
  return { exitCode, stdout: `${lines.join("\n")}\n` };
}
