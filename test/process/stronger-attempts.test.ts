import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type Ended, type ProcessSession } from "../rig/process-session.ts";

/*
 * The first milestone is too hard for the small model, the second one is not, and the third one is too hard for all:
 * the session is stuck after as many attempts as the list has.
 */

const PLAN = ["Hard", "Easy", "Hopeless"]
  .map((name) => `## Milestone: ${name}\n\n- [ ] Do ${name}\n`)
  .join("\n");

const SCENARIO = String.raw`
  build(t) {
    const can = { Hard: ["large", "huge"], Easy: ["small"], Hopeless: [] }[t.milestone];
    if (!can.includes(t.model)) return;
    t.put(t.milestone + ".txt", "done by " + t.model + "\n");
    t.commit("Do " + t.milestone);
    t.tick();
  },`;

const Cost = z.object({ rows: z.array(z.object({ name: z.string(), turns: z.int() })) });

let session: ProcessSession;
let first: Ended;

beforeAll(async () => {
  session = processSession({
    scenario: SCENARIO,
    config: "attempts: { build: [{ model: small }, { model: large }, { model: huge }] }\n",
    files: { "plan.md": PLAN },
  });
  first = await session.wisp("start", "plan.md", "--plain");
});

afterAll(async () => {
  await session[Symbol.asyncDispose]();
});

/** The turns of the builder: unit, attempts without progress before it, model. */
const builds = () =>
  checkSession(session.home()).history.builder.records.flatMap((record) =>
    record.kind === "turn.begin" && record.purpose === "build"
      ? [`${record.unit} ${String(record.stalled ?? 0)} ${record.model ?? "-"}`]
      : [],
  );

test("each attempt without progress is followed by one of the next model, and each milestone begins with the first", () => {
  expect(first.code).toBe(5);
  expect(builds()).toEqual([
    "build:Hard:1 0 small",
    "build:Hard:2 1 large",
    "build:Easy:1 0 small",
    "build:Hopeless:1 0 small",
    "build:Hopeless:2 1 large",
    "build:Hopeless:3 2 huge",
  ]);
  expect(session.git("show", "wisp/plan:Hard.txt")).toBe("done by large");
  expect(session.git("show", "wisp/plan:Easy.txt")).toBe("done by small");
});

test("wisp cost --by attempt tells what each took", async () => {
  const { stdout } = await session.wisp("cost", "--by", "attempt", "--json");
  const { rows } = Cost.parse(JSON.parse(stdout));
  const counted = new Map(rows.map(({ name, turns }) => [name, turns]));
  expect([...counted.keys()].filter((name) => name.startsWith("build"))).toEqual([
    ...["build 1", "build 2", "build 3"],
  ]);
  expect([1, 2, 3].map((n) => counted.get(`build ${String(n)}`))).toEqual([3, 2, 1]);
  expect((await session.wisp("cost", "--by", "attempt")).stdout).toMatch(/^build 2 +2 /mu);
});

test("--model makes all attempts of a new session, and --dry-run says so", async () => {
  const shown = await session.wisp("start", "plan.md", "--dry-run", "--again");
  expect(shown.stderr).toContain(
    "builder command with small, then command with large, then command with huge",
  );
  const asked = ["--again", "--dry-run", "--model", "builder=large"];
  expect((await session.wisp("start", "plan.md", ...asked)).stderr).toContain(
    "builder command with large, reviewer command,",
  );
  const wrong = await session.wisp("start", "plan.md", "--again", "--model", "bilder=large");
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("--model: there is no role bilder");
});
