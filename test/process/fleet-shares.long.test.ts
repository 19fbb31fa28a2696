import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventually, signsIn } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

const Frozen = z.object({
  fleet: z.string(),
  budget: z.object({ session: z.record(z.string(), z.number()) }),
});
const NAMES = ["a", "b", "c"] as const;
const PATHS = NAMES.map((name) => `${name}.md`);
const FILES = Object.fromEntries(NAMES.map((name) => [`${name}.md`, `# ${name}\n\nSay it.\n`]));

function frozen(rig: ProcessSession, id: string): z.infer<typeof Frozen> {
  return Frozen.parse(JSON.parse(rig.read("session.json", id)));
}

function shares(rig: ProcessSession, id: string): readonly string[] {
  const lines = rig.read("logs/human.log", id).split("\n");
  return lines.filter((line) => /^\S+ budget\.(?:give|grant) /u.test(line));
}

/** That each session has that share, all in one fleet. */
function expectShares(rig: ProcessSession, share: Readonly<Record<string, number>>): void {
  const all = NAMES.map((name) => frozen(rig, name));
  expect(all.map(({ budget }) => budget.session)).toEqual(NAMES.map(() => share));
  expect(new Set(all.map(({ fleet }) => fleet)).size).toBe(1);
}

const until = (rig: ProcessSession, claim: () => void) =>
  eventually(claim, { signs: () => signsIn(join(rig.repository, ".wisp")) });

test.each([
  ["at once", []],
  ["one after the other", ["--max", "1"]],
])(
  "requests that are started %s have a third of one budget each, in one fleet",
  async (_how, more) => {
    await using rig = processSession({ scenario: ONE_TASK, files: FILES });
    const started = await rig.wisp("start", ...PATHS, "--budget", "usd=90", ...more, "--yes");
    expect(started).toMatchObject({ code: 0 });
    await until(rig, () => expectShares(rig, { usd: 30 }));
  },
);

/** The second session has more milestones than its share of the turns is enough for. */
const ONE_IS_DEAR = String.raw`
  plan(t) {
    const names = /\/b\b/.test(process.cwd()) ? ["One", "Two", "Three", "Four"] : ["One"];
    t.plan(names.map((name) => "## Milestone: " + name + "\n\n- [ ] Say " + name + "\n").join("\n"));
  },
  build(t) {
    t.put(t.milestone + ".txt", "hello\n");
    t.commit("Say " + t.milestone);
    t.tick();
  },
`;

test.each([
  ["here", []],
  ["elsewhere", ["--on", "local"]],
])(
  "what finished sessions of one start %s did not use is granted to one that stopped at its share, which completes",
  async (_where, more) => {
    await using rig = processSession({ scenario: ONE_IS_DEAR, files: FILES });
    const started = await rig.wisp("start", ...PATHS, "--budget", "turns=30", ...more, "--yes");
    expect(started).toMatchObject({ code: 0 });
    await until(rig, () => expectShares(rig, { turns: 10 }));
    await until(rig, () =>
      expect(rig.read("logs/builder.log", "b")).toContain("done how=complete"),
    );
    expect(shares(rig, "b").length).toBeGreaterThan(0);
    const given = [...shares(rig, "a"), ...shares(rig, "c")];
    expect(given.every((line) => line.includes(" budget.give "))).toBe(true);
    expect(shares(rig, "b").every((line) => line.includes(" budget.grant "))).toBe(true);
  },
);
