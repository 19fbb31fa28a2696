import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, ok, type Result } from "../../base/result.ts";
import { decodeCassette, type Cassette, type Step, type Turn } from "./cassette.ts";
import type { CassetteStep } from "./cassette-schema.ts";
import { chooseTurn, type TurnFacts } from "./choose-turn.ts";
import { namesReviewers, sharingReviewers } from "./shared-review.ts";
import { tickTasks } from "./tick-tasks.ts";

/*
 * The player of the replay engine. It is a separate program (`wisp replay-turn <cassette>`), so it uses files and
 * processes directly, without ports. It gets its turn like any engine.
 */

/** Exit codes of the player itself; a turn's own `exit` may be any code. */
const EXIT = { cassette: 2, noTurn: 3, step: 4 } as const;

/** The playing process: its input, its output, and how it dies. */
export interface Stage {
  readonly cassettePath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Reads the prompt to its end. */
  readonly readPrompt: () => string;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly kill: (signalName: NonNullable<CassetteStep["kill"]>) => void;
  /** Makes the process ignore SIGTERM from now on. */
  readonly ignoreTerm: () => void;
}

/** The stage of this process. */
export function processStage(cassettePath: string): Stage {
  return {
    cassettePath,
    env: process.env,
    cwd: process.cwd(),
    readPrompt: () => readFileSync(0, "utf8"),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    kill: (signalName) => process.kill(process.pid, signalName),
    ignoreTerm: () => process.on("SIGTERM", () => undefined),
  };
}

/** Plays the turn that the environment selects; returns the exit code. */
export async function replayTurn(stage: Stage): Promise<number> {
  const chosen = choose(stage);
  if (!chosen.ok) {
    stage.complain(`replay: ${chosen.failure.message}\n`);
    return chosen.failure.exitCode;
  }
  for (const { head, turn } of chosen.value) {
    if (head !== undefined) stage.print(`${head}\n\n`);
    const ended = await playSteps(stage, turn);
    if (ended !== undefined) return ended;
  }
  return 0;
}

/** The exit code if a step ends the turn; `undefined` if the turn continues. */
async function playSteps(stage: Stage, { steps }: Turn): Promise<number | undefined> {
  for (const [index, step] of steps.entries()) {
    const played = await playStep(stage, step.act);
    if (played.kind === "exit") return played.exitCode;
    if (played.kind === "next") continue;
    stage.complain(`replay: ${describeStep(stage, step, index)}: ${played.problem}\n`);
    return EXIT.step;
  }
  return undefined;
}

/** A turn to play and, if several reviewers share it, the line that starts a reviewer's block. */
interface Part {
  readonly head: string | undefined;
  readonly turn: Turn;
}

function describeStep({ cassettePath }: Stage, { act, line }: Step, index: number): string {
  return `${cassettePath}:${line}: step ${index + 1} (${Object.keys(act).join()})`;
}

interface Refusal {
  readonly exitCode: number;
  readonly message: string;
}

function choose(stage: Stage): Result<readonly Part[], Refusal> {
  const { cassettePath } = stage;
  const facts = factsOf(stage);
  if (facts === undefined) {
    return fail({ exitCode: EXIT.cassette, message: "WISP_PURPOSE and WISP_UNIT are not set" });
  }
  const text = attempt(() => readFileSync(cassettePath, "utf8"));
  if (!text.ok) return fail({ exitCode: EXIT.cassette, message: text.failure });
  const cassette = decodeCassette(text.value);
  if (!cassette.ok) {
    const { line, key, problem } = cassette.failure;
    const where = key === "" ? "" : `${key}: `;
    return fail({
      exitCode: EXIT.cassette,
      message: `${cassettePath}:${line}: ${where}${problem}`,
    });
  }
  const parts = partsOf(cassette.value, facts);
  if (parts !== undefined) return ok(parts);
  const { purpose, unit, attempt: number, ask } = facts;
  const asked = `purpose=${purpose} unit=${unit} attempt=${number} ask=${ask}`;
  const subject = facts.subject();
  const about = subject === undefined ? "" : ` subject=${JSON.stringify(subject)}`;
  return fail({
    exitCode: EXIT.noTurn,
    message: `${cassettePath} has no turn for ${asked}${about}`,
  });
}

/** Plays a turn shared by several reviewers once for each, unless the matching turn labels the blocks itself. */
function partsOf(cassette: Cassette, facts: TurnFacts): readonly Part[] | undefined {
  const whole = chooseTurn(cassette, facts);
  const isReview = facts.purpose === "review-commit" || facts.purpose === "review-milestone";
  const sharing = isReview ? sharingReviewers(facts.prompt()) : [];
  if (whole === undefined || sharing.length === 0 || namesReviewers(whole))
    return whole && [{ head: undefined, turn: whole }];
  return sharing.map(({ head, prompt }) => {
    const turn = chooseTurn(cassette, { ...facts, prompt: () => prompt }) ?? whole;
    return { head, turn };
  });
}

function factsOf({ env, cwd, readPrompt }: Stage): TurnFacts | undefined {
  const { WISP_PURPOSE: purpose, WISP_UNIT: unit, WISP_END_SHA: endSha } = env;
  if (purpose === undefined || unit === undefined) return undefined;
  return {
    purpose,
    unit,
    attempt: Number(env["WISP_ATTEMPT"] ?? 1),
    ask: Number(env["WISP_ASK"] ?? 1),
    milestone: env["WISP_MILESTONE"],
    finding: env["WISP_FINDING"],
    subject: once(() => (endSha === undefined ? undefined : subjectOf(cwd, endSha))),
    prompt: once(readPrompt),
  };
}

function subjectOf(cwd: string, sha: string): string | undefined {
  if (!/^[0-9a-f]{40,64}$/u.test(sha)) return undefined;
  const git = spawnSync("git", ["log", "-1", "--format=%s", sha], { cwd, encoding: "utf8" });
  return git.status === 0 ? git.stdout.trimEnd() : undefined;
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}

type Played =
  | { readonly kind: "next" }
  | { readonly kind: "exit"; readonly exitCode: number }
  | { readonly kind: "broken"; readonly problem: string };

const NEXT: Played = { kind: "next" };

async function playStep(stage: Stage, act: CassetteStep): Promise<Played> {
  if (act.exit !== undefined) return { kind: "exit", exitCode: act.exit };
  if (act.delay !== undefined) await sleep(act.delay);
  if (act.print !== undefined) stage.print(act.print.endsWith("\n") ? act.print : `${act.print}\n`);
  if (act.hang === "stubborn") stage.ignoreTerm();
  if (act.kill !== undefined) stage.kill(act.kill);
  while (act.hang !== undefined || act.kill !== undefined) await sleep(LONG_MS);
  const edited = attempt(() => edit(stage, act));
  const done = edited.ok ? edited.value : edited;
  return done.ok ? NEXT : { kind: "broken", problem: done.failure };
}

const LONG_MS = 60_000;

type Done = Result<void, string>;
const DONE: Done = ok(undefined);

function edit(stage: Stage, act: CassetteStep): Done {
  if (act.write !== undefined) return write(stage, act.write);
  if (act.patch !== undefined) return patch(stage, act.patch);
  if (act.delete !== undefined) rmSync(join(stage.cwd, act.delete.path));
  if (act.plan !== undefined) return writePlan(stage, act.plan);
  if (act.tick !== undefined) return tick(stage, act.tick);
  if (act.run !== undefined) return run(stage, act.run);
  if (act.commit !== undefined) return commit(stage, act.commit);
  return DONE;
}

function write(
  { cwd }: Stage,
  { path, content, executable, encoding }: NonNullable<CassetteStep["write"]>,
): Done {
  const target = join(cwd, path);
  mkdirSync(dirname(target), { recursive: true });
  const bytes = Buffer.from(content, encoding ?? "utf8");
  writeFileSync(target, bytes, { mode: executable === true ? 0o755 : 0o644 });
  return DONE;
}

function patch({ cwd }: Stage, { path, find, replace }: NonNullable<CassetteStep["patch"]>): Done {
  const target = join(cwd, path);
  const parts = readFileSync(target, "utf8").split(find);
  const count = parts.length - 1;
  if (count !== 1)
    return fail(`${path} has the text to find ${count === 0 ? "nowhere" : `${count} times`}`);
  writeFileSync(target, parts.join(replace));
  return DONE;
}

function writePlan({ env }: Stage, text: string): Done {
  const tasksFile = env["WISP_TASKS_FILE"];
  if (tasksFile === undefined) return fail("WISP_TASKS_FILE is not set");
  writeFileSync(tasksFile, text);
  return DONE;
}

function tick(stage: Stage, act: NonNullable<CassetteStep["tick"]>): Done {
  const tasksFile = stage.env["WISP_TASKS_FILE"];
  if (tasksFile === undefined) return fail("WISP_TASKS_FILE is not set");
  const isNamed = typeof act === "object" && "milestone" in act;
  const milestone = isNamed ? act.milestone : stage.env["WISP_MILESTONE"];
  if (milestone === undefined) return fail("WISP_MILESTONE is not set");
  const tasks = [isNamed ? act.tasks : act].flat();
  const ticked = tickTasks(readFileSync(tasksFile, "utf8"), { milestone, tasks });
  if (!ticked.ok) return ticked;
  writeFileSync(tasksFile, ticked.value);
  return DONE;
}

function run(stage: Stage, { argv, exit = 0 }: NonNullable<CassetteStep["run"]>): Done {
  const [executable = "", ...rest] = argv;
  const { cwd, env } = stage;
  const ended = spawnSync(executable, rest, {
    cwd,
    env,
    encoding: "utf8",
    maxBuffer: RUN_BYTES_MAX,
  });
  // Both are null, whatever the types say, if the program could not be started.
  stage.complain([ended.stdout, ended.stderr].join(""));
  if (ended.error !== undefined) return fail(`${executable}: ${ended.error.message}`);
  if (ended.status === exit) return DONE;
  const how = ended.signal === null ? `exit code ${ended.status ?? ""}` : ended.signal;
  return fail(`${argv.join(" ")} ended with ${how}, not with exit code ${exit}`);
}

const RUN_BYTES_MAX = 16 * 1024 * 1024;

function commit(stage: Stage, act: NonNullable<CassetteStep["commit"]>): Done {
  const { message, paths } = typeof act === "string" ? { message: act, paths: ["."] } : act;
  const added = run(stage, { argv: ["git", "add", "--all", "--", ...paths] });
  if (!added.ok) return added;
  // If the user signs commits, git would ask for a passphrase.
  return run(stage, {
    argv: ["git", "-c", "commit.gpgsign=false", "commit", "--quiet", "--message", message],
  });
}

/** Runs something that may throw, and turns the error into a one-line failure. */
function attempt<T>(act: () => T): Result<T, string> {
  try {
    return ok(act());
  } catch (thrown) {
    return fail(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
