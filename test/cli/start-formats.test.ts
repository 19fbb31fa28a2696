import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { DOCUMENT_BYTES_MAX } from "../../src/base/limits.ts";
import { WispRig } from "./wisp-rig.ts";

/*
 * Requests in the forms of other tools, and requests from standard input, with the built program.
 */

const FIXTURES = join(import.meta.dirname, "..", "fixtures", "formats");
const KIRO = readFileSync(join(FIXTURES, "kiro.md"), "utf8");
const PRD = readFileSync(join(FIXTURES, "prd.json"), "utf8");

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

let made = 0;
function repository(): Promise<string> {
  return rig.repository(`repository-${String(++made)}`, {
    ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
    "agent.sh": "#!/bin/sh\n",
    "specs/export/tasks.md": KIRO,
    "specs/export/design.md": "# Design\n",
  });
}

async function tasks(cwd: string, session: string): Promise<readonly string[]> {
  const { stdout } = await rig.run(["tasks", session, "--json"], { cwd });
  const list = z.array(z.object({ description: z.string(), passes: z.boolean() }));
  return list
    .parse(JSON.parse(stdout))
    .map(({ description, passes }) => `${passes ? "x" : " "} ${description}`);
}

test("start says in one line what a file is, and its tasks are the plan, with their ids and ticks", async () => {
  const cwd = await repository();
  const started = await rig.run(["start", "specs/export/tasks.md", "--no-up"], { cwd });
  expect(started).toMatchObject({ code: 0 });
  expect(started.stderr).toContain(
    "Read as a tasks.md of Kiro: 3 milestones, 5 tasks, 2 of them done; it is the plan as it is.\n" +
      "wisp: the plan names what stands next to it for the builder: design.md\n" +
      "wisp: 1 task is marked as optional, and in the plan like the others\n",
  );
  const plan = join(cwd, ".wisp", "sessions", "implementation-plan", "plans");
  const [staged = ""] = readdirSync(plan);
  expect(readFileSync(join(plan, staged), "utf8")).toContain(
    "> Read what belongs to these tasks, in `specs/export`: `design.md`.\n\n",
  );
  expect(await tasks(cwd, "implementation-plan")).toEqual([
    "x 1. Set up the project",
    "x 2.1 Define the interface of a reader",
    "  2.2 Write property tests for the reader (optional)",
    "  3. Checkpoint",
    "  4. Write rows",
  ]);
});

test("start - reads the request from standard input, with --json, --branch and --dry-run, too", async () => {
  const cwd = await repository();
  const dry = await rig.run(["start", "-", "--dry-run"], { cwd, input: PRD });
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stderr).toContain("Would create session request on branch wisp/request at ");
  const started = await rig.run(["start", "-", "--no-up"], { cwd, input: PRD });
  expect(started).toMatchObject({ code: 0 });
  expect(started.stderr).toContain(
    "Read as 2 user stories: 2 milestones, 3 tasks, 2 of them done; it is the plan as it is.\n",
  );
  expect(await tasks(cwd, "request")).toHaveLength(3);
  const again = await rig.run(["start", "-", "--no-up"], { cwd, input: PRD });
  expect(again).toMatchObject({ code: 2 });
  expect(again.stderr).toContain("(standard input) was already started");
  expect(again.stderr).toContain("wisp start - --again");
  const words = ["start", "-", "--no-up", "--json", "--branch", "topic/rows"];
  const { code, stdout } = await rig.run(words, { cwd, input: PRD });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    branch: "topic/rows",
    request: { path: "(standard input)", kind: "stories", milestones: 2, tasks: 3, done: 2 },
  });
});

test("what is no request is refused on standard input as in a file", async () => {
  const cwd = await repository();
  const refusals = [
    { input: "", says: "The request (standard input) is empty." },
    { input: Uint8Array.of(0xff, 0xfe, 0x00), says: "The request (standard input) is not UTF-8" },
    { input: "a".repeat(DOCUMENT_BYTES_MAX + 1), says: "(standard input) is larger than 4 MiB" },
    { input: "## Milestone: One\n\n- [ ] a\n- [] b\n", says: "(standard input), line 4: " },
    { input: undefined, says: "The request (standard input) is empty." },
  ];
  for (const { input, says } of refusals) {
    const refused = await rig.run(["start", "-", "--no-up"], { cwd, input });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(says);
  }
  expect(await rig.git(cwd, "branch", "--list", "wisp/*")).toBe("");
});
