import { expect } from "vitest";
import { z } from "zod";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * Sessions with `plan: ask`, and what can be seen of their plans.
 */

/** Each plan has a milestone for each line of the request that begins with "Also". */
const PLANS = String.raw`
  async plan(t) {
    const { appendFileSync, writeFileSync } = await import("node:fs");
    const wanted = t.prompt.match(/\/\S+request\.md/)[0];
    const also = t.read(wanted).split("\n").filter((line) => line.startsWith("Also"));
    const names = ["One", ...also.map((line) => line.replace(/\W+/g, " ").trim())];
    const rejected = t.prompt.match(/\/\S+rejected-plan\.md/)?.[0];
    const seen = rejected === undefined ? "none" : t.read(rejected);
    writeFileSync(t.home + "/../../../../seen-" + names.length + ".txt", seen);
    const plan = names.map((name) => "## Milestone: " + name + "\n\n- [ ] Write " + name + ".txt\n").join("\n");
    t.plan(plan);
    FORGES
  },
  replan(t) {
    const file = /\x60(\/\S+TASKS\.md)\x60/.exec(t.prompt)[1];
    t.plan(t.read(file).trimEnd() + "\n\n## Milestone: Later\n\n- [ ] Write Later.txt\n");
  },
  async build(t) {
    BUILDS
    t.put(t.milestone + ".txt", "built\n");
    t.commit("Build " + t.milestone);
    t.tick();
  },
  async "review-milestone"(t) {
    JUDGES
    t.allPass();
  },
`;

interface Options {
  /** What the planner does after it has written its plan. */
  readonly forges?: string;
  /** What the builder does before it builds, and the reviewer before it passes a milestone. */
  readonly builds?: string;
  readonly judges?: string;
  readonly plan?: string;
}

/** A session in which nothing is built before a person has approved the plan. */
export function asking({ forges = "", builds = "", judges = "", plan = "ask" }: Options = {}) {
  const scenario = PLANS.replace("FORGES", () => forges)
    .replace("BUILDS", () => builds)
    .replace("JUDGES", () => judges);
  return processSession({ scenario, config: `plan: ${plan}` });
}

/** What the tests look at in the JSON of a plan. */
const PlanJson = z.object({
  status: z.string(),
  sha256: z.string(),
  milestones: z.array(z.object({ name: z.string(), state: z.string() })),
  estimate: z.object({}),
  tasksLeft: z.number(),
});

/** The plan as `wisp plan --json` shows it. */
export async function planOf(session: ProcessSession): Promise<z.infer<typeof PlanJson>> {
  const { code, stdout } = await session.wisp("plan", "--json");
  expect(code).toBe(0);
  return PlanJson.parse(JSON.parse(stdout));
}

/** The names of the recorded milestones. */
export function built(session: ProcessSession): readonly string[] {
  const lines = session.read("logs/milestones.log").split("\n").filter(Boolean);
  return lines.map((line) => line.split("|")[0] ?? "");
}

/** Nothing about the session is broken. */
export async function expectWhole(session: ProcessSession): Promise<void> {
  expect(checkSession(session.home()).broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
}
