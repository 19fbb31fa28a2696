import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assert, present } from "../../src/base/assert.ts";
import type { Role } from "../../src/base/role.ts";
import type { TurnOutcome } from "../../src/engines/engine.ts";
import type { Said, Step } from "../rig/model-server.ts";
import { eventually } from "../rig/patience.ts";
import { driverOf } from "./cli-drivers.ts";
import { Drive } from "./drive.ts";
import { CLIS, type Installed } from "./installed.ts";
import { cellsOf, sightCalls, WORDS, type SightCall } from "./sights.ts";
import { rowsInDocument, rowsOf, writeRows } from "./sight-table.ts";

/** The last turn begins and ends while a command of each other turn runs. */
const AT_ONCE: readonly Role[] = [
  ...(["planner", "builder", "tester"] as const),
  ...(["reviewer", "reviewer", "reviewer"] as const),
];

/** With this variable, the table of the document is rewritten instead of compared. */
const REWRITES = process.env["WISP_REWRITE_TABLE"] === "1";

/** Not /tmp, where some CLIs may write anything; nor the home, which may be in /tmp. */
const PARENT = "/var/tmp";

/**
 * Codex covers these in each place that its sandbox lets a command write to, `/tmp` among them, and makes and removes
 * what is missing: of several at once one takes them from another, whose command then fails (`Can't mount tmpfs`).
 */
const COVERED_BY_CODEX = [".agents", ".aws", ".codex", ".git"].map((name) => join("/tmp", name));

/** A slow test suite: it outlasts the other turns, and then needs the files that it wrote before. */
const OUTLAST = `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const mine = process.env.TMPDIR + "/mine";
writeFileSync(mine, "${WORDS.outlasted}");
writeFileSync("begun", "");
const ends = Date.now() + 600_000;
while (!existsSync("go") && Date.now() < ends) await new Promise((resolve) => setTimeout(resolve, 50));
console.log(readFileSync(mine, "utf8"));
`;

for (const cli of CLIS) {
  test(`${cli}: in every role, reads its request and range with its own tool and its shell, beside five other turns; ENGINES.md lists what it cannot read`, async () => {
    if (cli === "codex") for (const path of COVERED_BY_CODEX) mkdirSync(path, { recursive: true });
    await using drive = await Drive.start(cli, [{ text: "I am ready." }], PARENT);
    // Several processes of opencode at once fail to create the files that it needs at its first start.
    expect(reasonOf(await drive.turn())).toBe("ended");
    const turns = AT_ONCE.map((role, at) => new SightedTurn(cli, drive, { role, at }));
    const [others, last] = [turns.slice(0, -1), present(turns.at(-1), "there are turns")];
    const arrived: SightedTurn[] = [];
    drive.model.script(async (said) => {
      const turn = present(
        turns.find(({ request }) => said.some(({ text }) => text.includes(request))),
        "the prompt names the request of its turn",
      );
      const step = turn.step(said);
      if (step !== undefined) return step;
      if (!arrived.includes(turn)) arrived.push(turn);
      if (turn === last) {
        await eventually(() =>
          assert(
            others.every(({ hasBegun }) => hasBegun),
            "all have begun",
          ),
        );
        return { text: "I have looked." };
      }
      if (turn.hasOutlasted) return { text: "I have looked." };
      // A shell waits for its command for a limited time, so all begin at the same time.
      await eventually(() => assert(arrived.length === turns.length, "all have looked"));
      return { text: "I will.", tools: [driverOf(cli).shell("node outlast.mjs")] };
    });

    const running = others.map((turn) => turn.run());
    // The last one would wait in vain for a turn that ends before it is released.
    const alone = await Promise.race([last.run(), whoEndsEarly(others, running)]);
    expect(reasonOf(alone)).toBe("ended");
    for (const other of others) other.letGo();
    const outcomes = await Promise.all(running);
    expect(outcomes.map(reasonOf)).toEqual(outcomes.map(() => "ended"));

    for (const turn of others)
      expect(turn.printed.at(-1), `the ${turn.role}`).toContain(WORDS.outlasted);
    for (const turn of turns) turn.expectRead();
    const seen = new Map(turns.map((turn) => [turn.role, turn.cells]));
    for (const turn of turns) expect(turn.cells, `the ${turn.role}`).toEqual(seen.get(turn.role));
    const rows = rowsOf(cli, seen);
    if (REWRITES) await writeRows(cli, rows);
    expect(
      rowsInDocument(cli),
      "WISP_REWRITE_TABLE=1 puts what was seen into the document",
    ).toEqual(rows);
  });
}

/** Fails as soon as one of these turns ends before it is released; otherwise never settles. */
async function whoEndsEarly(
  turns: readonly SightedTurn[],
  running: readonly Promise<TurnOutcome>[],
): Promise<never> {
  const ends = running.map(async (run, at) => {
    const outcome = await run;
    const turn = present(turns[at], "each run is of a turn");
    if (turn.isLetGo) return await new Promise<never>(() => undefined);
    const printed = turn.printed.join("\n--\n");
    throw new Error(`the ${turn.role} ended early: ${reasonOf(outcome)}\n${printed}`);
  });
  return Promise.race(ends);
}

/** How a turn ended, and why if it failed. */
function reasonOf(outcome: TurnOutcome): string {
  return outcome.kind === "failed" ? outcome.reason : outcome.kind;
}

/** A turn with its own clone and its own folder. */
class SightedTurn {
  readonly role: Role;
  readonly request: string;
  /** What its tools have returned so far. */
  printed: readonly string[] = [];
  isLetGo = false;
  readonly #drive: Drive;
  readonly #clone: string;
  readonly #folder: string;
  readonly #calls: readonly SightCall[];

  constructor(
    cli: Installed,
    drive: Drive,
    { role, at }: { readonly role: Role; readonly at: number },
  ) {
    this.role = role;
    this.#drive = drive;
    const own = join(drive.directory, `${String(at)}-${role}`);
    this.#clone = join(own, "clone");
    this.#folder = join(own, "turn");
    mkdirSync(this.#folder, { recursive: true });
    mkdirSync(join(own, "drafts"));
    execFileSync("git", ["clone", "--quiet", drive.clone, this.#clone]);
    const git = (...words: readonly string[]) =>
      execFileSync(
        "git",
        ["-C", this.#clone, "-c", "user.name=Ada", "-c", "user.email=a@example.org", ...words],
        { encoding: "utf8" },
      ).trim();
    const put = (path: string, text: string) => writeFileSync(path, `${text}\n`);
    put(join(this.#clone, "outlast.mjs"), OUTLAST);
    put(join(this.#clone, "notes.txt"), WORDS.range);
    git("add", "-A");
    git("commit", "--quiet", "--message", "Add notes");
    this.request = join(this.#folder, "request.md");
    const range = join(this.#folder, "range.diff");
    const elsewhere = join(drive.directory, "elsewhere.md");
    put(this.request, WORDS.request);
    put(range, git("diff", "HEAD~1", "HEAD"));
    put(elsewhere, WORDS.elsewhere);
    const ends = [git("rev-parse", "HEAD~1"), git("rev-parse", "HEAD")] as const;
    this.#calls = sightCalls(driverOf(cli), {
      ...{ clone: this.#clone, request: this.request, range, elsewhere, ends },
    });
  }

  /** The prompt of this turn says everything that it does: nothing is left to the model. */
  run(): Promise<TurnOutcome> {
    const { role, request } = this;
    return this.#drive.turn({
      ...{ role, cwd: this.#clone, folder: this.#folder, runId: this.#folder },
      prompt: `Look at what is there. Files for you to read: \`${request}\``,
      ...(role === "reviewer" ? {} : { tasksFile: join(this.#folder, "../drafts/TASKS.md") }),
    });
  }

  /** The next call of the turn, given the conversation so far; undefined after the last one. */
  step(said: readonly Said[]): Step | undefined {
    this.printed = said.flatMap(({ by, text }) => (by === "tool" ? [text] : []));
    const call = this.#calls[this.printed.length];
    return call && { text: "I will.", tools: [call.call] };
  }

  get hasBegun(): boolean {
    return existsSync(join(this.#clone, "begun"));
  }

  get hasOutlasted(): boolean {
    return this.printed.length > this.#calls.length;
  }

  letGo(): void {
    this.isLetGo = true;
    writeFileSync(join(this.#clone, "go"), "");
  }

  /** By the CLI's own tool, and by its shell. */
  expectRead(): void {
    const read = this.#calls
      .slice(0, 5)
      .map(({ succeeded }, at) => succeeded(this.printed[at] ?? ""));
    expect(read, `${this.role}: ${this.printed.slice(0, 5).join("\n")}`).toEqual(
      read.map(() => true),
    );
  }

  get cells(): readonly string[] {
    return cellsOf(this.#calls, this.printed);
  }
}
