import { createHash } from "node:crypto";
import { Random } from "../rig/random.ts";
import {
  openTasks,
  reviewsOf,
  said,
  tick,
  type EngineWorld,
  type Exit,
  type Play,
} from "./engine-turn.ts";
import {
  MODULES,
  missingIn,
  placeFor,
  someWord,
  sourceOf,
  sourceWith,
  testFor,
  testsFor,
  testsOf,
  wordOf,
  wordsOf,
} from "./noisy-project.ts";
import { commitWork } from "./sim-clone.ts";

/*
 * The engines of a noisy session. They are honest, but make mistakes: a build or a fix may break something, and may bend the
 * test that holds it. Told of a failure, they look at the code, and find nothing where nothing is wrong.
 */

/** What the script of a noisy session depends on, besides the turn. */
export interface NoisyScript {
  /** Whether one test is red at the base. */
  readonly isRed: boolean;
  /** How often a tester's own run of a test is red by chance, and reported as a bug. */
  readonly rate: number;
  /** The command that runs the tests of one file. */
  readonly testCommand: string;
  /** The title of a test that is broken more often than others. */
  readonly weak: string;
}

/** The command that looks for one word in a module. */
export const LOOK = "look";

const PASSED = "### Verdict: PASSED\n\n### Findings\n\nNone\n";
/** How often a turn that is told of a failure repairs what is wrong. */
const MENDS = 0.75;

/** Plays one turn of such an engine, which the seed determines. */
export function* noisyTurn(world: EngineWorld, script: NoisyScript): Play {
  const { env, seed, run, disk } = world;
  const { WISP_PURPOSE: purpose = "", WISP_UNIT: unit = "", WISP_ASK: ask = "1" } = env;
  const random = Random.for(seed, `${unit} ${String(run)} ${ask}`);
  yield random.between(5, 400);
  switch (purpose) {
    case "plan": {
      const { WISP_TASKS_FILE: path = "" } = env;
      const names = ["One", "Two"].slice(0, Random.for(seed, "plan").between(1, 2));
      const milestone = (name: string) => `## Milestone: ${name}\n\n- [ ] Provide the module\n`;
      disk.overwrite(path, names.map(milestone).join("\n"));
      return said("");
    }
    case "build":
      return yield* build(world, script, random);
    case "fix":
      return fix(world, script, random);
    case "test":
    case "final-test":
      return test(world, script, random);
    case "review-milestone":
      return said(reviewsOf(world, random.chance(0.2) ? remark(unit) : PASSED));
    default:
      return said(
        purpose.startsWith("review") || purpose === "verify-fix" ? reviewsOf(world, PASSED) : "",
      );
  }
}

/** What the first attempt at a milestone does besides its work. */
const DEEDS = [
  ...["honest", "honest", "honest", "extends"],
  ...["breaks", "bends", "hides"],
] as const;

function* build(world: EngineWorld, script: NoisyScript, random: Random): Play {
  const { clone, disk, env, repository, seed } = world;
  const { WISP_TASKS_FILE: path = "", WISP_MILESTONE: name = "", WISP_ATTEMPT: attempt } = env;
  const module = `m${name.toLowerCase()}`;
  const deed = Random.for(seed, `deed ${name}`).pick(DEEDS);
  if (!clone.work.has(sourceOf(module)))
    doWork(clone.work, module, { deed, random, weak: script.weak });
  else if (attempt !== "1" && random.chance(MENDS)) mend(clone.work, script);
  yield random.between(5, 100);
  commitWork(repository, clone, `Do ${name}`);
  for (const task of openTasks(disk.textOf(path) ?? "")) {
    if (task.milestone === name) tick(disk, path, task);
  }
  return said(`${JSON.stringify({ status: "DONE", summary: "did it" })}\n`);
}

interface DoneWork extends Pick<NoisyScript, "weak"> {
  readonly deed: (typeof DEEDS)[number];
  readonly random: Random;
}

function doWork(work: Map<string, string>, module: string, { deed, random, weak }: DoneWork): void {
  const words = wordsOf(module);
  const known = deed === "hides" ? words.slice(0, 2) : words;
  work.set(sourceOf(module), sourceWith(known));
  work.set(testsOf(module), testsFor(module, known));
  const old = random.pick(MODULES);
  if (deed === "extends") {
    const [word = ""] = wordsOf(old);
    const more = testFor(old, word, word).replace(` holds `, ` still holds `);
    work.set(testsOf(old), `${work.get(testsOf(old)) ?? ""}\n${more}`);
  }
  if (deed === "breaks" || deed === "bends")
    breakWord(work, random.chance(0.5) ? wordOf(weak) : someWord(random), deed === "bends");
}

/** Takes a word from a module, and has its test look for another one. */
function breakWord(
  work: Map<string, string>,
  { module, word }: ReturnType<typeof someWord>,
  isBent: boolean,
): void {
  const others = wordsOf(module).filter((other) => other !== word);
  const source = work.get(sourceOf(module)) ?? "";
  work.set(sourceOf(module), source.replace(new RegExp(`\\b${word} ?`), ""));
  if (!isBent) return;
  const tests = work.get(testsOf(module)) ?? "";
  const before = `toContain("${word}")`;
  work.set(testsOf(module), tests.replaceAll(before, `toContain("${others[0] ?? ""}")`));
}

/** Repairs every module and every test that is bent. */
function mend(work: Map<string, string>, { isRed }: NoisyScript): void {
  const added = [...work.keys()].flatMap((path) => /^src\/(m\w+)\.js$/.exec(path)?.[1] ?? []);
  for (const module of [...MODULES, ...added]) {
    const isUnfinished = isRed && module === "gamma";
    const words = isUnfinished ? wordsOf(module).slice(0, -1) : wordsOf(module);
    work.set(sourceOf(module), sourceWith(words));
    const tests = work.get(testsOf(module)) ?? "";
    const straight = tests.replace(
      /(holds (\w+)", \(\) => \{\n {2}expect\(value\)\.toContain\(")\w+/g,
      "$1$2",
    );
    work.set(testsOf(module), straight);
  }
}

function fix(world: EngineWorld, script: NoisyScript, random: Random): Exit {
  const { clone, env, prompt } = world;
  const { WISP_FINDING: id = "", WISP_ATTEMPT: attempt = "1" } = env;
  const isRemark = prompt.includes(SAYS_WRONG);
  if (isRemark) clone.work.set(`src/fixes/${id}.txt`, "mended\n");
  const isWrong = missingIn(clone.work, script.isRed).length > 0;
  if (isWrong && random.chance(MENDS)) mend(clone.work, script);
  else if (isRemark && attempt === "1" && random.chance(0.3))
    breakWord(clone.work, someWord(random), false);
  return said("");
}

function test(world: EngineWorld, { isRed, rate, testCommand }: NoisyScript, random: Random): Exit {
  const { clone, env } = world;
  const { WISP_UNIT: unit = "" } = env;
  const { module, word } = someWord(random);
  if (random.chance(0.3)) {
    clone.work.set(`test/${shortHash(unit)}.test.js`, testsFor(module, [word]));
  }
  const [missing] = missingIn(clone.work, isRed);
  if (missing !== undefined && random.chance(0.8)) {
    const place = [...clone.work.keys()].find((path) => path.startsWith(`src/${missing[0] ?? ""}`));
    return said(bug(unit, `${LOOK} ${place ?? ""} ${missing}`));
  }
  if (random.chance(rate)) return said(bug(unit, `${testCommand} ${testsOf(module)}`));
  if (random.chance(rate)) return said(bug(unit, `${LOOK} ${sourceOf(module)} ${word}`));
  return said(PASSED);
}

function bug(unit: string, command: string): string {
  return needsWork(unit, "It fails.", [`   - Command: ${command}`]);
}

const SAYS_WRONG = "It says the wrong thing.";

function remark(unit: string): string {
  return needsWork(unit, SAYS_WRONG, []);
}

function needsWork(unit: string, issue: string, more: readonly string[]): string {
  const lines = [
    `1. **X-1**: Correctness - ${shortHash(unit)}`,
    `   - File: ${placeFor(unit)}:1`,
    `   - Issue: ${issue}`,
    "   - Suggestion: Say the right thing.",
    ...more,
  ];
  return `### Verdict: NEEDS_WORK\n\n### Findings\n\n${lines.join("\n")}\n`;
}

function shortHash(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 10);
}
