import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { farRoot, mirroredFiles, placeIn } from "../process/far-files.ts";
import { eventually } from "../rig/patience.ts";
import { startGated, type GatedSession } from "./gated-session.ts";
import { sshHosts } from "./ssh-hosts.ts";
import { noSshd, type SshdHost } from "./sshd.ts";

const MISSING = noSshd();
const WHY_NOT = MISSING === undefined ? "" : ` (${MISSING}: skipped)`;

/** A session of a machine that knows a host over ssh, whose turns wait at gates. */
function startBeside(far: SshdHost, on = "box"): Promise<GatedSession> {
  return startGated({
    executor: `{ kind: ssh, host: far, arguments: [-F, ${join(far.folder, "ssh_config")}] }`,
    gates: join(far.folder, "gates"),
    on,
  });
}

const statusOf = async ({ rig }: GatedSession) => (await rig.wisp("status", "words")).stdout;
const recordsIn = (home: string, kind: string) =>
  readFileSync(join(home, "logs/human.log"), "utf8").match(new RegExp(` ${kind} `, "gu")) ?? [];

/** What a clone had when its turn was ended is kept here. */
function expectKept({ rig }: GatedSession, file: string): void {
  const refs = rig.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue/words/");
  expect(rig.git("show", `${refs.split("\n")[0] ?? ""}:${file}`)).toBe("not committed");
}

describe.skipIf(MISSING !== undefined)(`moving over ssh${WHY_NOT}`, () => {
  const { openHost } = sshHosts();

  test("a session that began here moves to a host in mid-milestone, completes there, and is closed from here", async () => {
    const far = await openHost();
    await using begun = await startBeside(far, "here");
    const { rig, home, gate, isWhole } = begun;
    gate("One").open();
    await gate("Two").begun();
    const moved = await rig.wisp("move", "words", "box");
    expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
    expect(placeIn(home).root).toContain(far.home);
    await gate("Two").begun(2);
    expectKept(begun, "draft-Two.txt");
    gate("Two").open();
    await isWhole();
    expect(recordsIn(home, "moved")).toHaveLength(1);
    const root = farRoot(home);
    expect(await rig.wisp("done", "words", "--yes")).toMatchObject({ code: 0 });
    expect(existsSync(root)).toBe(false);
  });

  test("a session that began on a host moves here in mid-milestone, and is like any other from then on", async () => {
    const far = await openHost();
    await using begun = await startBeside(far);
    const { rig, home, gate, isWholeHere } = begun;
    gate("One").open();
    await gate("Two").begun();
    const root = farRoot(home);
    const before = mirroredFiles(home);
    const moved = await rig.wisp("move", "words", "here");
    expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
    expect(existsSync(root)).toBe(false);
    expect(Object.keys(mirroredFiles(home))).toEqual(expect.arrayContaining(Object.keys(before)));
    await gate("Two").begun(2);
    expectKept(begun, "draft-Two.txt");
    const working = await statusOf(begun);
    expect(working).not.toMatch(/box|in touch|elsewhere/u);
    expect(await rig.wisp("stop", "words")).toMatchObject({ code: 0 });
    expect(await rig.wisp("resume", "words", "--detach")).toMatchObject({ code: 0 });
    const restarted = await rig.wisp("restart", "builder", "--session", "words");
    expect(restarted).toMatchObject({ code: 0 });
    await gate("Two").begun(3);
    gate("Two").open();
    await isWholeHere();
    expect(await rig.wisp("abandon", "words", "--yes")).toMatchObject({ code: 0 });
  });

  test("a session whose host is lost goes on here by force, and nothing of the host changes it when that is back", async () => {
    const far = await openHost();
    await using begun = await startBeside(far);
    const { rig, home, gate, isWholeHere } = begun;
    gate("One").open();
    await gate("Two").begun();
    const root = farRoot(home);
    await far.setRoute("lost");
    const move = async (...options: readonly string[]) => {
      const ended = await rig.wisp("move", "words", "here", ...options);
      return ended;
    };
    const refused = await move();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("box cannot be reached");
    // The mirror is followed again, whatever became of the move.
    await eventually(() => expect(rig.leftovers().join("; ")).toContain("wisp.js mirror words"), {
      intervalMs: 100,
    });
    const unsure = await move("--force");
    expect(unsure.code).not.toBe(0);
    expect(recordsIn(home, "moved")).toHaveLength(0);
    const forced = await move("--force", "--yes");
    expect({ code: forced.code, said: forced.stderr }).toMatchObject({ code: 0 });
    await gate("Two").begun(2);
    gate("Two").open();
    await isWholeHere();
    const done = join(root, "repository/.wisp/sessions/words/logs/builder.done");
    await eventually(() => expect(readFileSync(done, "utf8")).toContain("complete|"));
    const kept = { files: mirroredFiles(home), branch: rig.git("rev-parse", "wisp/words") };
    await far.setRoute("there");
    const again = await move();
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain("box has records of words that are not here");
    const now = () => ({
      files: mirroredFiles(home),
      branch: rig.git("rev-parse", "wisp/words"),
    });
    expect(now()).toEqual(kept);
    const given = await move("--force", "--yes");
    expect({ code: given.code, said: given.stderr }).toMatchObject({ code: 0 });
    expect(existsSync(root)).toBe(false);
    expect(now()).toEqual(kept);
    expect(await rig.wisp("done", "words", "--yes")).toMatchObject({ code: 0 });
  });

  test("a host that was lost and did nothing since is tidied up by the same command when it is back", async () => {
    const far = await openHost();
    await using begun = await startBeside(far);
    const { rig, home, gate, isWholeHere } = begun;
    await gate("One").begun();
    const root = farRoot(home);
    await far.setRoute("lost");
    await far.stop();
    const forced = await rig.wisp("move", "words", "here", "--force", "--yes");
    expect({ code: forced.code, said: forced.stderr }).toMatchObject({ code: 0 });
    await gate("One").begun(2);
    const on = await rig.wisp("move", "words", "local");
    expect(on).toMatchObject({ code: 1 });
    expect(on.stderr).toContain("words is here, but may still be running on box");
    expect(recordsIn(home, "moved")).toHaveLength(1);
    await far.setRoute("there");
    await far.start();
    const again = await rig.wisp("move", "words", "here");
    expect({ code: again.code, said: again.stderr }).toMatchObject({ code: 0 });
    expect(existsSync(root)).toBe(false);
    gate("One").open();
    gate("Two").open();
    await isWholeHere();
  });
});

test("a session whose place was destroyed by somebody says what to run, and goes on here from what was mirrored", async () => {
  const gates = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(gates, { recursive: true }));
  await using begun = await startGated({ gates, on: "local" });
  const { rig, home, far, gate, isWholeHere } = begun;
  gate("One").open();
  await gate("Two").begun();
  await eventually(() => expect(mirroredFiles(home)).toEqual(mirroredFiles(far())));
  await loseFiles(begun);
  for (const words of [
    ["up", "words", "--detach"],
    ["move", "words", "here"],
    ["move", "words", "local"],
  ]) {
    const refused = await rig.wisp(...words);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(/wisp move (?:words|<session>) here --force/u);
  }
  const moved = await rig.wisp("move", "words", "here", "--force", "--yes");
  expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
  await gate("Two").begun(2);
  gate("Two").open();
  await isWholeHere();
  expect(await rig.wisp("done", "words", "--yes")).toMatchObject({ code: 0 });
});

/** Ends what runs at the place, and removes its files. */
async function loseFiles({ rig, root }: GatedSession): Promise<void> {
  const place = root();
  await eventually(() => {
    for (const line of rig.leftovers().filter((one) => one.includes(place))) {
      process.kill(Number(line.split(" ")[0]), "SIGKILL");
    }
    rmSync(place, { recursive: true, force: true });
    expect(existsSync(place)).toBe(false);
    expect(rig.leftovers().filter((one) => one.includes(place))).toEqual([]);
  });
}
