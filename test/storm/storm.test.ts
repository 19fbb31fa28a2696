import { expect, test } from "vitest";
import { endState } from "../rig/end-state.ts";
import { judgeRun } from "../rig/judge-run.ts";
import { Random } from "../rig/random.ts";
import { isUsedUp, SEED } from "../rig/share.ts";
import { playInStorm, replaySession, type Storm } from "./storm-run.ts";

const KILLS = Number(process.env["WISP_STORM_KILLS"] ?? 300);
/** Runs only this one; empty: all that are needed. */
const RUN = process.env["WISP_STORM_RUN"] ?? "";
/** Sessions that run at the same time. */
const LANES = Number(process.env["WISP_STORM_LANES"] ?? 2);
const KILLS_PER_RUN_MAX = 14;

test(`every run ends in the same state after up to ${KILLS} kills at random times (seed ${SEED})`, async () => {
  const startMs = Date.now();
  const expected = await undisturbed();
  expect(expected).toMatchObject({
    broken: undefined,
    how: "complete",
    milestones: ["One", "Two"],
  });
  const problems: string[] = [];
  const survived: Storm[] = [];
  let kills = 0;
  let next = RUN === "" ? 1 : Number(RUN);
  const lane = async () => {
    do {
      const run = next++;
      const { storm, problems: found } = await oneRun(run, expected);
      kills += storm.kills;
      if (found.length === 0) survived.push(storm);
      else problems.push(failureOf(run, storm, found));
    } while (RUN === "" && kills < KILLS && !isUsedUp());
  };
  await Promise.all(Array.from({ length: RUN === "" ? LANES : 1 }, lane));
  const total = (count: (storm: Storm) => number) =>
    survived.reduce((sum, storm) => sum + count(storm), 0);
  const minutes = ((Date.now() - startMs) / 60_000).toFixed(1);
  console.log(
    `${total((storm) => storm.kills)} kills survived (and ${total((storm) => storm.stops)} stops), ` +
      `in ${survived.length} runs and ${minutes} minutes; seed ${SEED}`,
  );
  expect(problems).toEqual([]);
  expect(kills).toBeGreaterThan(0);
});

async function undisturbed() {
  await using session = await replaySession();
  const calm = Random.for(SEED, "undisturbed");
  const { failed } = await playInStorm(session, calm, 0);
  expect(failed).toEqual([]);
  return endState(session);
}

async function oneRun(run: number, expected: ReturnType<typeof endState>) {
  await using session = await replaySession();
  const random = Random.for(SEED, `run ${run}`);
  const storm = await playInStorm(session, random, random.between(4, KILLS_PER_RUN_MAX));
  return { storm, problems: await judgeRun(session, storm.failed, expected) };
}

function failureOf(run: number, { log }: Storm, found: readonly string[]): string {
  const again = `npm run test:storm -- --seed ${SEED} --run ${run}`;
  return [`run ${run} (again: ${again})`, ...found, ...log].join("\n");
}
