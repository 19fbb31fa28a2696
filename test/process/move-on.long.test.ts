import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually, signsIn } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { Random } from "../rig/random.ts";
import { isUsedUp, SEED } from "../rig/share.ts";
import { farRoot } from "./far-files.ts";
import {
  MOVED_SESSION,
  homesOf,
  moveKilledAt,
  movesIn,
  ownersOf,
  pointsOfChanges,
} from "./move-killed.ts";
import { describeSecondPlace } from "./second-place.ts";

/** At how many points a move is killed. */
const POINTS = 8;

/** A build that leaves work uncommitted, and ends only when a file says so. */
const GATED = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { appendFileSync, existsSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    t.put("untracked.txt", "not committed\n");
    appendFileSync("GATES/begun", process.cwd() + "\n");
    while (!existsSync("GATES/go")) await setTimeout(20);
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

function gatesOfTest(): { readonly gates: string; readonly scenario: string } {
  const gates = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(gates, { recursive: true }));
  return { gates, scenario: GATED.replaceAll("GATES", gates) };
}

/** Starts a session on `local`, and waits until its turn waits. */
async function startThere(rig: ProcessSession, gates: string, directory?: string) {
  const second = describeSecondPlace(rig, directory);
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const started = await rig.wisp("start", "hello.md", "--on", "local", "--yes", "--detach");
  expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
  /** Where each turn of the builder began. */
  const turns = () => {
    const path = join(gates, "begun");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  };
  const home = rig.home(MOVED_SESSION);
  const begun = (times: number) =>
    eventually(() => expect(turns()).toHaveLength(times), {
      signs: () => signsIn(join(home, "logs")),
    });
  await begun(1);
  return { second, turns, begun, home, open: () => writeFileSync(join(gates, "go"), "") };
}

const movesOf = (rig: ProcessSession) =>
  movesIn(rig.read("logs/human.log", MOVED_SESSION)).map(({ to }) => to);

async function completes(rig: ProcessSession): Promise<void> {
  const done = () => rig.read("logs/builder.done", MOVED_SESSION);
  const signs = () => rig.read("logs/builder.log", MOVED_SESSION);
  await eventually(() => expect(done()).toContain("complete|"), { signs });
  await eventually(() => expect(rig.git("show", "wisp/hello:hello.txt")).toBe("hello"));
}

test("one command moves a session from one place to another in mid-milestone, and nothing of it runs here meanwhile", async () => {
  const { gates, scenario } = gatesOfTest();
  await using rig = processSession({ scenario });
  const { second, turns, begun, home, open } = await startThere(rig, gates);
  const first = farRoot(home);
  const words = ["move", MOVED_SESSION, second.name];
  const shownFirst = await rig.wisp(...words, "--dry-run");
  expect({ code: shownFirst.code, said: shownFirst.stderr }).toMatchObject({ code: 0 });
  expect(shownFirst.stdout).toContain("Then, without going on here, it would move it to second");
  const forced = await rig.wisp(...words, "--force", "--yes");
  expect(forced).toMatchObject({ code: 2 });
  expect(forced.stderr).toContain("wisp move hello here --force");
  expect(movesOf(rig)).toEqual([]);

  const moved = await rig.wisp(...words);
  expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
  await begun(2);
  const root = farRoot(home);
  expect(turns()[0]).not.toBe(turns()[1]);
  expect(existsSync(first)).toBe(false);
  expect(movesOf(rig)).toEqual(["here", "second"]);
  const rescued = rig.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue/hello/");
  expect(rig.git("show", `${rescued.split("\n")[0] ?? ""}:untracked.txt`)).toBe("not committed");
  open();
  await completes(rig);
  expect(turns()).toHaveLength(2);
  const done = await rig.wisp("done", MOVED_SESSION, "--no-push", "--yes");
  expect({ code: done.code, said: done.stderr }).toMatchObject({ code: 0 });
  expect(existsSync(root)).toBe(false);
});

test("a session whose next place cannot be reached stands still here, says so, and goes on by the same command", async () => {
  const { gates, scenario } = gatesOfTest();
  await using rig = processSession({ scenario });
  const { second, turns, begun, home, open } = await startThere(rig, gates);
  second.setLost(true);
  const failed = await rig.wisp("move", MOVED_SESSION, second.name);
  expect(failed.code).not.toBe(0);
  expect(failed.stderr).toContain("hello has left local, and did not reach second");
  expect(failed.stderr).toContain("To go on here: wisp move hello here");
  expect(ownersOf(rig)).toEqual([home]);
  expect(rig.leftovers()).toEqual([]);
  second.setLost(false);
  const again = await rig.wisp("move", MOVED_SESSION, second.name);
  expect({ code: again.code, said: again.stderr }).toMatchObject({ code: 0 });
  await begun(2);
  open();
  await completes(rig);
  expect(turns()).toHaveLength(2);
  expect(movesOf(rig)).toEqual(["here", "second"]);
});

test("a move from one place to another that is killed right after any of its changes goes on by the same command", async () => {
  const { gates, scenario } = gatesOfTest();
  await using rig = processSession({ scenario });
  const { begun, open } = await startThere(rig, gates);
  expect(await rig.wisp("stop", MOVED_SESSION)).toMatchObject({ code: 0 });
  await begun(1);
  const { ended, points } = await moveKilledAt(rig, "second");
  expect({ code: ended.code, said: ended.stderr }).toMatchObject({ code: 0 });
  const changes = pointsOfChanges(points).filter(({ index }) => index === 0);
  const random = Random.for(SEED, "move on");
  const targets = changes
    .map((point) => ({ point, rank: random.unit() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, POINTS);
  expect(targets).toHaveLength(POINTS);
  let killed = 0;
  for (const [at, { point }] of targets.entries()) {
    if (at > 0 && isUsedUp()) break;
    const to = at % 2 === 0 ? "local" : "second";
    const movesBefore = movesOf(rig).length;
    const cut = await moveKilledAt(rig, to, point);
    expect(ownersOf(rig).length).toBeLessThanOrEqual(1);
    const again = await rig.wisp("move", MOVED_SESSION, to);
    const said = [cut.ended.stderr, again.stderr];
    expect({ point, code: again.code, said }).toMatchObject({ code: 0 });
    const [, ...places] = homesOf(rig);
    expect(places).toHaveLength(1);
    expect(ownersOf(rig)).toEqual(places);
    expect(movesOf(rig).slice(movesBefore)).toEqual(["here", to]);
    if (cut.isKilled) killed += 1;
  }
  expect(killed).toBeGreaterThan(0);
  expect(await rig.wisp("up", MOVED_SESSION, "--detach")).toMatchObject({ code: 0 });
  open();
  await completes(rig);
});

test("a place at the path of an earlier one counts as made only when wisp is there, though the command was killed in between", async () => {
  const { gates, scenario } = gatesOfTest();
  await using rig = processSession({ scenario });
  const { home } = await startThere(rig, gates, "same");
  expect(await rig.wisp("stop", MOVED_SESSION)).toMatchObject({ code: 0 });
  expect(await rig.wisp("move", MOVED_SESSION, "second")).toMatchObject({ code: 0 });
  expect(await rig.wisp("move", MOVED_SESSION, "here")).toMatchObject({ code: 0 });
  // The place was made and noted, and nothing is there yet.
  const cut = await moveKilledAt(rig, "second", { stage: 3, index: 0 });
  expect(cut).toMatchObject({ isKilled: true, ended: { code: null } });
  expect(rig.read("locks/moving.json", MOVED_SESSION)).toContain('"root"');
  const again = await rig.wisp("move", MOVED_SESSION, "second");
  expect({ code: again.code, said: again.stderr }).toMatchObject({ code: 0 });
  expect(ownersOf(rig)).toEqual(homesOf(rig).filter((one) => one !== home));
});
