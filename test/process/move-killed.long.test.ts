import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { checkSession } from "../rig/check-session.ts";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { Random } from "../rig/random.ts";
import { isUsedUp, missesMax, SEED } from "../rig/share.ts";
import { mirroredFiles } from "./far-files.ts";
import {
  MOVED_SESSION,
  homesOf,
  moveKilledAt,
  movesIn,
  ownersOf,
  pointsOfChanges,
  type MovePoint,
} from "./move-killed.ts";

/** Sessions that are moved at the same time. */
const LANES = 2;
/** At how many points a move is killed on each way. */
const POINTS = 14;

/** The first milestone is built at once. The second leaves work uncommitted, and ends only when a file says so. */
const GATED = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    if (t.milestone === "One") t.put("hello.txt", "hello\n");
    else {
      t.put("untracked.txt", "not committed\n");
      while (!existsSync("GATE")) await setTimeout(20);
      t.put("thanks.txt", "thanks\n");
    }
    t.commit(t.milestone);
    t.tick();
  },
`;

type Way = "local" | "here";

test("a mover, and the wisp that it asks at the place, are killed anywhere: never do two homes own the session, and the same command ends the move", async () => {
  const gate = join(mkdtempSync(join(tmpdir(), "wisp-gate-")), "go");
  onTestFinished(() => rmSync(join(gate, ".."), { recursive: true }));
  const rigs = Array.from({ length: LANES }, () =>
    processSession({ scenario: GATED.replaceAll("GATE", gate) }),
  );
  try {
    await Promise.all(rigs.map(movedInTheMiddle));
    const targets = await targetsOf(present(rigs[0], "a session"));
    const lanes = rigs.map((rig, lane) => killedAgainAndAgain(rig, lane, targets));
    const tried = (await Promise.all(lanes)).flat();
    writeFileSync(gate, "");
    await Promise.all(rigs.map(completes));
    const missed = tried.filter(({ isKilled }) => !isKilled).map(({ at }) => at);
    const killed = tried.length - missed.length;
    console.log(`killed at ${String(killed)} of ${String(tried.length)} points`);
    expect(tried).not.toEqual([]);
    expect(missed.slice(missesMax(tried.length))).toEqual([]);
  } finally {
    await Promise.all(rigs.map((rig) => rig[Symbol.asyncDispose]()));
  }
});

/** Begins the session, asks it to stop, and moves it in the middle of its second milestone. */
async function movedInTheMiddle(rig: ProcessSession): Promise<void> {
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  expect(await rig.wisp("start", "hello.md", "--yes", "--detach")).toMatchObject({ code: 0 });
  const log = () => rig.read("logs/builder.log", MOVED_SESSION);
  await eventually(() => expect(log().match(/ turn.begin /gu)).toHaveLength(2), { signs: log });
  expect(await rig.wisp("stop", MOVED_SESSION)).toMatchObject({ code: 0 });
  await moved(rig, "local");
}

/** Moves the session without a kill. */
async function moved(rig: ProcessSession, to: Way) {
  const { ended, points } = await moveKilledAt(rig, to);
  expect(ended).toMatchObject({ code: 0 });
  await expectMoved(rig, to);
  return { points };
}

type Targets = Readonly<Record<Way, readonly MovePoint[]>>;

/** The point right after each change, and some of the others: half of those right before a change. */
async function targetsOf(rig: ProcessSession): Promise<Targets> {
  const here = drawnOf((await moved(rig, "here")).points, "here");
  return { here, local: drawnOf((await moved(rig, "local")).points, "local") };
}

function drawnOf(points: readonly MovePoint[], way: Way): readonly MovePoint[] {
  const around = pointsOfChanges(points);
  const after = around.filter(({ index }) => index === 0);
  const before = around.filter(({ index }) => index > 0);
  const random = Random.for(SEED, way);
  const others = Array.from({ length: Math.max(0, POINTS - after.length) }, (_, at) =>
    random.pick(at % 2 === 0 ? before : points),
  );
  return [...after, ...others]
    .map((point) => ({ point, rank: random.unit() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ point }) => point);
}

interface Tried {
  readonly at: string;
  readonly isKilled: boolean;
}

/** Moves the session back and forth; each way is killed once, and begun again. The first session gets the odd ones. */
async function killedAgainAndAgain(
  rig: ProcessSession,
  lane: number,
  targets: Targets,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const most = Math.max(targets.here.length, targets.local.length);
  for (let at = lane; at < most && (at === lane || !isUsedUp()); at += LANES) {
    for (const to of ["here", "local"] as const) {
      tried.push(await killedOnce(rig, to, targets[to][at]));
    }
  }
  return tried;
}

async function killedOnce(
  rig: ProcessSession,
  to: Way,
  point: MovePoint | undefined,
): Promise<Tried> {
  const at = `${to}: ${Object.values(point ?? {}).join(" ")}`;
  const before = rig.read("logs/human.log", MOVED_SESSION);
  const { isKilled, who, ended } = await moveKilledAt(rig, to, point);
  const ownerCount = ownersOf(rig).length;
  const again = await rig.wisp("move", MOVED_SESSION, to);
  try {
    if (who === "mover") expect(ended.code).toBeNull();
    expect(ownerCount).toBeLessThanOrEqual(1);
    expect(again).toMatchObject({ code: 0 });
    await expectMoved(rig, to);
    const human = rig.read("logs/human.log", MOVED_SESSION);
    expect(human.slice(0, before.length)).toBe(before);
    expect(movesIn(human)).toHaveLength(movesIn(before).length + 1);
  } catch (error) {
    const said = [`killed at ${at}`, ended.stderr, "begun again:", again.stderr];
    throw new Error(said.join("\n"), { cause: error });
  }
  return { at, isKilled };
}

/** One side owns the session, nothing is left of the other but a mirror, and no person's record is there twice. */
async function expectMoved(rig: ProcessSession, to: Way): Promise<void> {
  const [here = "", ...far] = homesOf(rig);
  expect(ownersOf(rig)).toEqual(to === "here" ? [here] : far);
  expect(far).toHaveLength(to === "here" ? 0 : 1);
  expect(existsSync(join(here, "locks/moving.json"))).toBe(false);
  const lines = readFileSync(join(here, "logs/human.log"), "utf8").trim().split("\n");
  expect(new Set(lines).size).toBe(lines.length);
  const files = Object.keys(mirroredFiles(here));
  expect(files.filter((path) => path.endsWith(".tmp"))).toEqual([]);
  if (to === "local") await expectSame(rig);
}

/** The home here mirrors the one at the place, byte for byte. */
async function expectSame(rig: ProcessSession): Promise<void> {
  const [here = "", far = ""] = homesOf(rig);
  await eventually(() => expect(mirroredFiles(here)).toEqual(mirroredFiles(far)));
}

/** Lets the session complete where it is now: every other one at the place. */
async function completes(rig: ProcessSession, lane: number): Promise<void> {
  if (lane % 2 === 1) await moved(rig, "here");
  expect(await rig.wisp("up", MOVED_SESSION, "--detach")).toMatchObject({ code: 0 });
  const done = () => rig.read("logs/builder.done", MOVED_SESSION);
  const signs = () => rig.read("logs/builder.log", MOVED_SESSION);
  await eventually(() => expect(done()).toContain("complete|"), { signs });
  const branch = `wisp/${MOVED_SESSION}`;
  await eventually(() => expect(rig.git("show", `${branch}:thanks.txt`)).toBe("thanks"));
  expect(rig.git("log", "--format=%s", `main..${branch}`)).toBe("Two\nOne");
  expect(rig.git("show", `${branch}:hello.txt`)).toBe("hello");
  await eventually(() => expect(checkSession(rig.home(MOVED_SESSION)).broken).toBeUndefined());
}
