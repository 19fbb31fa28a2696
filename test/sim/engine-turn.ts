import { createHash } from "node:crypto";
import type { Disk } from "./disk.ts";
import { Random } from "../rig/random.ts";
import { commitWork, type CloneState } from "./sim-clone.ts";
import type { SimRepository } from "./sim-repository.ts";

/** A program as a sequence of moments: each yields the time until the next. */
export type Play = Generator<number, Exit>;

export interface Exit {
  readonly exitCode: number;
  /** What ended it; absent: nothing, it exited. */
  readonly signalName?: string | undefined;
  readonly stdout: string;
}

/** The input of an engine's turn. */
export interface EngineWorld {
  readonly seed: number;
  readonly disk: Disk;
  readonly repository: SimRepository;
  readonly clone: CloneState;
  readonly argv: readonly string[];
  /** `WISP_…`. */
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: string;
  /** Number of earlier runs of this unit. */
  readonly run: number;
  /** The probability that the turn goes wrong. */
  readonly badness: number;
  /** Whether a record says that this file was published: an engine that does it again makes a mistake of its own. */
  readonly isOnRecord: (path: string) => boolean;
}

/** Plays one turn of a model, which the seed and the prompt determine. */
export function* engineTurn(world: EngineWorld): Play {
  const { env, seed, run, badness } = world;
  const { WISP_PURPOSE: purpose = "", WISP_UNIT: unit = "", WISP_ASK: ask = "1" } = env;
  const random = Random.for(seed, `${unit} ${String(run)} ${ask}`);
  yield random.between(5, 400);
  if (random.chance(badness)) {
    const bad = yield* badTurn(random, unit);
    if (bad !== undefined) return bad;
  }
  switch (purpose) {
    case "plan":
    case "replan":
      return plan(world, random);
    case "build":
      return yield* build(world, random);
    case "stuck-hint":
      return yield* hint(world, random);
    case "fix":
      return yield* fix(world, random);
    case "verify-fix":
      return said(verdictOf(Random.for(seed, `judges ${unit}`).chance(0.2) ? 1 : 0, unit));
    case "test":
    case "final-test":
      return yield* test(world, random);
    default:
      return said(reviewsOf(world, verdictOf(findingCount(seed, unit), unit)));
  }
}

/** Plays one turn of a model that always does all of its milestone, and finds nothing wrong. */
export function* steadyTurn(world: EngineWorld, steadyPlan: string): Play {
  const { env, disk, clone, repository } = world;
  const { WISP_PURPOSE: purpose = "", WISP_TASKS_FILE: path = "" } = env;
  const { WISP_UNIT: unit = "", WISP_MILESTONE: name = "" } = env;
  yield 20;
  if (purpose === "plan") disk.overwrite(path, steadyPlan);
  if (purpose === "plan" || purpose === "replan") return said("");
  if (purpose !== "build") return said(reviewsOf(world, verdictOf(0, unit)));
  clone.work.set("src/steady.js", `${unit}\n`);
  commitWork(repository, clone, `Do ${name}`);
  for (const task of openTasks(disk.textOf(path) ?? "")) {
    if (task.milestone === name) tick(disk, path, task);
  }
  return said(`${JSON.stringify({ status: "DONE", summary: "did it" })}\n`);
}

/** All reviewers in the prompt say the same; if there are several, each under its heading. */
export function reviewsOf({ prompt }: EngineWorld, verdict: string): string {
  const heads = prompt.match(/\[Review\] [a-z]+ \([a-z]+\)/g) ?? [""];
  return heads.map((head) => `${head}\n\n${verdict}`).join("\n");
}

export function said(stdout: string): Exit {
  return { exitCode: 0, stdout };
}

/** Undefined: the damage is done, and the turn continues. */
function* badTurn(random: Random, unit: string): Generator<number, Exit | undefined> {
  switch (random.below(5)) {
    case 0:
      return { exitCode: 1, stdout: "" };
    case 1:
      // It hangs until its timeout.
      yield 10 * 60_000;
      return { exitCode: 1, stdout: "" };
    case 2:
      return said(`${JSON.stringify({ status: "NEEDS_INPUT", question: `About ${unit}?` })}\n`);
    case 3:
      return said("I have had a look, and all is well.\n");
    default:
      return undefined;
  }
}

/** Number of findings in what a unit looks at: the same in each attempt. */
export function findingCount(seed: number, unit: string): number {
  const random = Random.for(seed, `finds ${unit}`);
  if (unit.startsWith("commit:")) return random.chance(0.15) ? 1 : 0;
  if (unit.startsWith("final:")) return random.chance(0.08) ? 1 : 0;
  return random.chance(0.25) ? random.between(1, 2) : 0;
}

/** The text of the n-th finding of a unit, which is unique. */
export function briefOf(unit: string, index: number): string {
  return createHash("sha1")
    .update(`${unit} ${String(index)}`)
    .digest("hex");
}

function shortHash(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 10);
}

/** The command that shows a bug: it fails until the bug is fixed. */
export const BUG_COMMAND = "show-bug";

/** Runs that command. */
export function* bugRun(work: ReadonlyMap<string, string>, name: string, random: Random): Play {
  yield random.between(5, 100);
  return { exitCode: work.has(fixedFile(name)) ? 0 : 1, stdout: `looked for ${name}\n` };
}

function fixedFile(name: string): string {
  return `src/mended/${name}.js`;
}

function verdictOf(count: number, unit: string, isBug = false): string {
  if (count === 0) return "### Verdict: PASSED\n\n### Findings\n\nNone\n";
  const findings = Array.from({ length: count }, (_, index) =>
    [
      `${String(index + 1)}. **X-${String(index + 1)}**: Correctness - ${briefOf(unit, index)}`,
      `   - File: ${placeOf(unit, index)}:1`,
      "   - Issue: It says the wrong thing.",
      "   - Suggestion: Say the right thing.",
      ...(isBug ? [`   - Command: ${BUG_COMMAND} ${briefOf(unit, index)}`] : []),
    ].join("\n"),
  );
  return `### Verdict: NEEDS_WORK\n\n### Findings\n\n${findings.join("\n")}\n`;
}

/** An existing file, a different one for each finding of a unit, because remarks about one place count as one. */
function placeOf(unit: string, index: number): string {
  const first = Number.parseInt(briefOf(unit, 0).slice(0, 2), 16);
  const place = ((first + index) % 256).toString(16).padStart(2, "0");
  return `src/base/${place}.js`;
}

const NAMES = ["API", "API server", "Größe 100 %", "a|b", "読み 書き", "😀 smile", 'quote " = \\'];

function plan({ disk, env, seed }: EngineWorld, random: Random): Exit {
  const { WISP_TASKS_FILE: path = "", WISP_UNIT: unit = "" } = env;
  const before = disk.textOf(path) ?? "";
  const standing = before.split("\n").filter((line) => line.startsWith("## ")).length;
  if (standing === 0) {
    const first = Random.for(seed, "plan").below(NAMES.length);
    const count = random.pick([1, 1, 1, 2, 2, 3]);
    const names = Array.from(
      { length: count },
      (_, index) => NAMES[(first + index) % NAMES.length],
    );
    disk.overwrite(path, names.map((name) => milestone(name ?? "", random)).join("\n"));
  } else if (random.chance(0.1)) {
    disk.overwrite(path, milestone("Something else", random));
  } else if (standing < 3 && random.chance(0.7)) {
    disk.overwrite(path, `${before}\n${milestone(`More ${shortHash(unit).slice(0, 4)}`, random)}`);
  }
  return said("");
}

function milestone(name: string, random: Random): string {
  const tasks = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (_, index) => index + 1);
  return [`## Milestone: ${name}`, "", ...tasks.map((n) => `- [ ] Do part ${String(n)}`), ""].join(
    "\n",
  );
}

export interface Task {
  readonly milestone: string;
  readonly ordinal: number;
  readonly line: number;
}

/** The tasks without a tick. */
export function openTasks(text: string): readonly Task[] {
  const found: Task[] = [];
  let name = "";
  let ordinal = 0;
  for (const [line, words] of text.split("\n").entries()) {
    if (words.startsWith("## Milestone: ")) {
      name = words.slice("## Milestone: ".length);
      ordinal = 0;
    }
    if (/^- \[[ x]\] /.test(words)) ordinal += 1;
    if (words.startsWith("- [ ] ")) found.push({ milestone: name, ordinal, line });
  }
  return found;
}

/** The file that a task is about. */
function taskFile({ milestone: name, ordinal }: Task): string {
  return `src/${shortHash(name)}/${String(ordinal)}.js`;
}

function* build(world: EngineWorld, random: Random): Play {
  const { clone, disk, repository, env } = world;
  const { WISP_TASKS_FILE: path = "", WISP_MILESTONE: name = "" } = env;
  const tasks = openTasks(disk.textOf(path) ?? "");
  const own = tasks.filter((task) => task.milestone === name);
  clone.work.delete("broken");
  const how = random.unit();
  if (how < 0.06) return said("");
  const chosen = how < 0.25 ? own.slice(0, random.between(1, 2)) : how < 0.35 ? tasks : own;
  for (const task of chosen) {
    yield random.between(5, 300);
    const isClaimed = how > 0.95;
    if (!isClaimed) work(world, taskFile(task));
    if (random.chance(0.6)) {
      yield random.between(1, 50);
      commitWork(repository, clone, `Do ${name} ${String(task.ordinal)}`);
      yield random.between(1, 50);
    }
    if (how < 0.9) tick(disk, path, task);
  }
  if (random.chance(0.1)) clone.work.set("broken", "yes\n");
  yield random.between(1, 50);
  return said(`${JSON.stringify({ status: "DONE", summary: "did it" })}\n`);
}

/** Adds a line, unless the records say that this was done before. */
function work({ clone, isOnRecord }: EngineWorld, path: string): void {
  if (clone.work.has(path) && isOnRecord(path)) return;
  clone.work.set(path, `${clone.work.get(path) ?? ""}work\n`);
}

export function tick(disk: Disk, path: string, task: Task): void {
  const lines = (disk.textOf(path) ?? "").split("\n");
  lines[task.line] = (lines[task.line] ?? "").replace("- [ ]", "- [x]");
  disk.overwrite(path, lines.join("\n"));
}

/** A hint's turn, whose changes must not be published. */
export const HINTED = "src/hinted/";

function* hint({ clone, repository, env }: EngineWorld, random: Random): Play {
  const { WISP_UNIT: unit = "" } = env;
  yield random.between(5, 300);
  if (random.chance(0.5)) clone.work.set(`${HINTED}${shortHash(unit)}.js`, "tried\n");
  if (random.chance(0.3)) commitWork(repository, clone, "Try it");
  return said(random.chance(0.2) ? "" : `It is in the way of ${unit}.\n`);
}

function* fix({ clone, env, run, prompt }: EngineWorld, random: Random): Play {
  const { WISP_FINDING: id = "", WISP_ATTEMPT: attempt = "1" } = env;
  yield random.between(5, 300);
  if (random.chance(0.1)) return said("");
  const [, bug] = new RegExp(`${BUG_COMMAND} ([0-9a-f]+)`).exec(prompt) ?? [];
  if (bug !== undefined && random.chance(0.8)) clone.work.set(fixedFile(bug), "mended\n");
  const path = `src/fixes/${id}.js`;
  clone.work.set(path, `${clone.work.get(path) ?? ""}fix ${attempt} ${String(run)}\n`);
  if (random.chance(0.1)) clone.work.set("broken", "yes\n");
  return said("");
}

function* test({ clone, env, seed }: EngineWorld, random: Random): Play {
  const { WISP_UNIT: unit = "", WISP_PURPOSE: purpose = "" } = env;
  yield random.between(5, 300);
  if (random.chance(purpose === "test" ? 0.5 : 0.15)) {
    clone.work.set(`test/${shortHash(unit)}.js`, "test\n");
  }
  if (random.chance(0.03)) clone.work.set("src/odd.js", "odd\n");
  return said(verdictOf(findingCount(seed, unit), unit, true));
}
