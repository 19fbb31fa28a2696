import { appendFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createHost } from "../../src/host/host.ts";
import { WispRig } from "./wisp-rig.ts";

/*
 * The command on one real session; `inspect-home.long.test.ts` tests each kind of damage.
 */

const CASSETTE = `version: 1
turns: []
defaults:
  plan: ${String.raw`[plan: "## Milestone: Hello\n\n- [ ] Say hello\n"]`}
  build: [write: { path: hello.txt, content: "hello\\n" }, commit: Say hello, tick: 1]
  review-commit: [print: "### Verdict: PASSED"]
  review-milestone: [print: "### Verdict: PASSED"]
  test: [print: "### Verdict: PASSED"]
  final-test: [print: "### Verdict: PASSED"]
`;

const View = z.object({
  schema: z.literal("wisp.fsck/1"),
  errors: z.number(),
  warnings: z.number(),
  repaired: z.number(),
  live: z.array(z.string()),
  issues: z.array(
    z.object({
      kind: z.string(),
      severity: z.string(),
      path: z.string(),
      line: z.number().optional(),
      message: z.string(),
      canRepair: z.boolean(),
      repair: z.string().optional(),
      step: z.string().min(1),
      next: z.array(z.string()),
      isRepaired: z.boolean(),
    }),
  ),
});

let rig: WispRig;
let cwd: string;
const wisp = (...words: readonly string[]) => rig.run(words, { cwd });
const home = (path: string) => join(cwd, ".wisp/current", path);

beforeAll(async () => {
  rig = await WispRig.create();
  cwd = await rig.repository("repository", {
    ".wisp/config.yaml": "engine: replay\n",
    ".wisp/cassette.yaml": CASSETTE,
    "request.md": "# Say hello\n",
  });
  expect(await wisp("start", "request.md")).toMatchObject({ code: 0 });
});
afterAll(() => rig[Symbol.asyncDispose]());

test("a session that ended well is in order: exits with 0 and names nothing to do", async () => {
  const { code, stdout, stderr } = await wisp("fsck");
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "say-hello: in order\n",
    stderr: "",
  });
});

test("reports damage with its line, repairs it with --repair, and then finds nothing", async () => {
  const milestones = await readFile(home("logs/milestones.log"), "utf8");
  await appendFile(home("logs/milestones.log"), milestones.replace("Hello", "Forged"));
  await rm(home("logs/tester.final"));
  const found = await wisp("fsck", "say-hello");
  expect(found.stdout).toContain("logs/milestones.log:2: error: The log does not have this line");
  expect(found.stdout).toContain("logs/tester.final: error: A line of the log is missing");
  expect(found.stdout.match(/ To repair it: `wisp fsck say-hello --repair`\.\n/gu)).toHaveLength(2);
  expect(found.stdout).toContain("say-hello: 2 errors\nnext: wisp fsck say-hello --repair");
  expect(found.code).toBe(1);
  const repaired = await wisp("fsck", "--repair", "--json");
  const view = View.parse(JSON.parse(repaired.stdout));
  expect(view).toMatchObject({ errors: 0, warnings: 0, repaired: 2, live: [] });
  expect(view.issues.every(({ isRepaired }) => isRepaired)).toBe(true);
  expect(view.issues.map(({ repair }) => repair)).toEqual([
    "wisp removed the line, and kept a copy in edits/ if wisp did not write it.",
    "wisp restored the line from the log.",
  ]);
  expect(view.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The log did not have this line: .*Forged/u),
    expect.stringMatching(/^A line of the log was missing: /u),
  ]);
  expect(repaired.code).toBe(0);
  expect(await readFile(home("logs/milestones.log"), "utf8")).toBe(milestones);
  expect((await wisp("fsck")).code).toBe(0);
});

test("while a role runs, checks the session but refuses --repair with exit code 6, naming the holder", async () => {
  const lease = await createHost().locks.takeLease(home("locks/builder.lock"));
  const looked = await wisp("fsck");
  const refused = await wisp("fsck", "--repair");
  if (lease.ok) await lease.value.release();
  expect(looked.stdout).toContain("At work: builder.");
  expect(looked.code).toBe(0);
  expect(refused.stderr).toContain("Another builder is at work on this session");
  expect(refused.stderr).toContain(String(process.pid));
  expect(refused.code).toBe(6);
});

test("exits with 3 for an unknown session, also with --json", async () => {
  const { code, stdout } = await wisp("fsck", "nobody", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "no-such-session" } });
  expect(code).toBe(3);
});

// This test is the last one, because the line stays in the copy of human.log.
test("keeps an unknown line in human.log, and reports it again", async () => {
  await appendFile(home("logs/human.log"), "2026-11-20T12:00:00.000Z shout\n");
  const repaired = await wisp("fsck", "--repair", "--json");
  const view = View.parse(JSON.parse(repaired.stdout));
  expect(view.issues).toMatchObject([
    {
      ...{
        kind: "bad-line",
        severity: "error",
        path: "logs/human.log",
        line: 1,
        isRepaired: false,
      },
      ...{ canRepair: false, next: ["wisp review say-hello"] },
    },
  ]);
  expect(repaired.code).toBe(1);
  expect(await readFile(home("logs/human.log"), "utf8")).toContain(" shout\n");
});
