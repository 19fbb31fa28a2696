import type { Command } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { WispRig, type Ended } from "./wisp-rig.ts";

/*
 * Every command that is about a session takes its name in the same place or as `--session`, and says the same if there is
 * none of that name.
 */

const SESSION = "<session>";

/** What each command is run with; `<session>` is where a session is named without the option. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  up: [SESSION, "--dry-run"],
  resume: [SESSION, "--dry-run"],
  update: ["request.md", SESSION, "--dry-run"],
  plan: [SESSION],
  stop: [SESSION, "--dry-run"],
  attach: [SESSION, "reviewer", "--dry-run"],
  answer: [SESSION, "--dry-run", "yes"],
  restart: ["builder", SESSION, "--dry-run"],
  revise: [SESSION, "--dry-run"],
  done: [SESSION, "--dry-run"],
  abandon: [SESSION, "--dry-run"],
  move: [SESSION, "local", "--dry-run"],
  prune: [SESSION, "--dry-run"],
  review: [SESSION],
  status: [SESSION],
  cost: [SESSION],
  report: [SESSION],
  watch: [SESSION, "--web"],
  tasks: [SESSION],
  edit: [SESSION, "--dry-run"],
  log: [SESSION],
  logs: ["builder", SESSION],
  tail: [SESSION],
  findings: [SESSION],
  fsck: [SESSION],
};

/** Commands whose arguments name something else: a session is named by the option alone. */
const BY_OPTION: Readonly<Record<string, readonly string[]>> = {
  why: ["why", "One"],
  show: ["findings", "show", "COR-7f3a91"],
  dismiss: ["findings", "dismiss", "COR-7f3a91", "--why", "as agreed"],
  add: ["findings", "add", "request.md", "too long", "--dry-run"],
};

/** Commands that are about no single session, and one that is a role's process. */
const WITHOUT = [
  ...["demo", "init", "start", "list", "engines", "doctor", "mcp", "completion", "help"],
  ...["install", "agent"],
];

let rig: WispRig;
let cwd = "";
beforeAll(async () => {
  rig = await WispRig.create();
  cwd = await rig.repository("named", {
    "agent.sh": "#!/bin/sh\nexit 0\n",
    ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
    "request.md": "## Milestone: One\n\n- [ ] Say hello\n",
  });
  for (const id of ["builder", "last"]) {
    const words = ["start", "request.md", "--no-up", "--yes", "--branch", `feature/${id}`];
    expect(await rig.run(words, { cwd })).toMatchObject({ code: 0 });
  }
});
afterAll(() => rig[Symbol.asyncDispose]());

function visible(command: Command): readonly Command[] {
  const shown = command.commands.filter((one) => !("_hidden" in one && one._hidden));
  return shown.flatMap((one) => [one, ...visible(one)]);
}

/** Times and ages differ from run to run. */
async function run(words: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await rig.run(words, { cwd });
  const timeless = (text: string) => text.replaceAll(/\b\d+s\b|\d\d:\d\d(?::\d\d)?/gu, "-");
  return { code, stdout: timeless(stdout), stderr: timeless(stderr) };
}

function typed(command: string, name: string | undefined): readonly string[] {
  const words = TABLE[command] ?? [];
  return [command, ...words.flatMap((word) => (word === SESSION ? (name ?? []) : word))];
}

test("each command takes a session as others do, or has none", () => {
  const all = visible(createProgram({ words: [], version: "0", run: () => Promise.resolve() }));
  const names = all.map((command) => command.name());
  expect(names.sort()).toEqual(
    [...Object.keys(TABLE), ...Object.keys(BY_OPTION), ...WITHOUT].sort(),
  );
  const takes = all.filter(({ options }) => options.some(({ long }) => long === "--session"));
  expect(takes.map((command) => command.name()).sort()).toEqual(
    [...Object.keys(TABLE), ...Object.keys(BY_OPTION), "agent"].sort(),
  );
});

test.each(Object.keys(TABLE))(
  "wisp %s: an id, a branch and --session name a session",
  async (command) => {
    const [id, branch, option, unknown, twice] = await Promise.all([
      run(typed(command, "feature-last")),
      run(typed(command, "feature/last")),
      run([...typed(command, undefined), "--session", "feature/last"]),
      run(typed(command, "las")),
      run([...typed(command, "feature-last"), "--session", "none"]),
    ]);
    expect(branch).toEqual(id);
    expect(option).toEqual(id);
    expect(id.code).not.toBe(3);
    expect(unknown).toMatchObject({ code: 3, stdout: "" });
    expect(unknown.stderr).toContain(
      "There is no session 'las' in " +
        `${cwd}.\nSessions with such a name:\n  wisp status feature-last\n`,
    );
    // An answer may be any words.
    expect(twice.code).toBe(command === "answer" ? 3 : 2);
  },
);

test.each(Object.keys(BY_OPTION))(
  "wisp %s: an id and a branch name a session by --session",
  async (command) => {
    const words = BY_OPTION[command] ?? [];
    const [id, branch, unknown] = await Promise.all(
      ["feature-last", "feature/last", "las"].map((name) => run([...words, "--session", name])),
    );
    expect(branch).toEqual(id);
    expect(unknown).toMatchObject({ code: 3 });
    expect(unknown?.stderr).toContain("There is no session 'las'");
  },
);

test("a session that is called like a role is named by the option", async () => {
  const words = ["start", "request.md", "--no-up", "--yes", "--branch", "builder"];
  expect((await run(words)).code).toBe(0);
  const roles = await run(["restart", "tester", "--session", "builder", "--dry-run"]);
  expect(roles.stderr).toContain("Would restart the tester of builder.");
  const answer = await run(["answer", "--dry-run"]);
  expect(answer).toMatchObject({ code: 2 });
  expect(answer.stderr).toContain("missing required argument 'session'");
});
