import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { eventually } from "../rig/patience.ts";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import { farHome, farRoot, mirroredFiles } from "./far-files.ts";

/** A build that leaves work uncommitted, and ends only when a file says so. */
const GATED = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    t.put("untracked.txt", "not committed\n");
    writeFileSync("GATES/begun-" + process.pid, "");
    while (!existsSync("GATES/go")) await setTimeout(20);
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

function gates(): string {
  const directory = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test("a session moves elsewhere in the middle of a milestone and back, and loses nothing", async () => {
  const gate = gates();
  await using rig = processSession({ scenario: GATED.replaceAll("GATES", gate) });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  expect(await rig.wisp("start", "hello.md", "--yes", "--detach")).toMatchObject({ code: 0 });
  const log = () => rig.read("logs/builder.log", "hello");
  const begun = (text: string) => text.match(/ turn.begin /gu)?.length ?? 0;
  await eventually(() => expect(begun(log())).toBe(1), { signs: log });

  const there = await rig.wisp("move", "hello", "local");
  expect(there).toMatchObject({ code: 0 });
  expect(there.stderr).toContain("Recording that hello moves to local");
  const home = rig.home("hello");
  const root = farRoot(home);
  const far = farHome(home, "hello");
  await eventually(() =>
    expect(begun(readFileSync(join(far, "logs/builder.log"), "utf8"))).toBe(2),
  );
  const rescued = rig.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue/hello/");
  expect(rescued).not.toBe("");
  expect(rig.git("show", `${rescued.split("\n")[0] ?? ""}:untracked.txt`)).toBe("not committed");

  const back = await rig.wisp("move", "hello", "here");
  expect(back).toMatchObject({ code: 0 });
  expect(existsSync(root)).toBe(false);
  await eventually(() => expect(begun(log())).toBe(3), { signs: log });
  writeFileSync(join(gate, "go"), "");
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"), {
    signs: log,
  });
  expect(rig.git("show", "wisp/hello:hello.txt")).toBe("hello");
  const human = rig.read("logs/human.log", "hello").trim().split("\n");
  expect(new Set(human).size).toBe(human.length);
  expect(human.filter((line) => line.includes(" moved "))).toHaveLength(2);
});

/** The homes of the session, here and at its places. */
function homesOf(rig: ProcessSession): readonly string[] {
  const state = rig.env["XDG_STATE_HOME"] ?? join(String(rig.env["HOME"]), ".local/state");
  const places = join(state, "wisp/places");
  const names = existsSync(places) ? readdirSync(places) : [];
  const far = names.map((name) => join(places, name, "repository/.wisp/sessions/hello"));
  return [rig.home("hello"), ...far];
}

const PlaceText = z.object({ moved: z.string().optional(), mirrors: z.unknown().optional() });

/** Whether a home may be written, as the protocol says. */
function isOwner(home: string): boolean {
  const log = textOf(join(home, "logs/human.log"));
  if (log === undefined) return false;
  const last = log.split("\n").findLast((line) => line.includes(" moved "));
  const place = PlaceText.parse(JSON.parse(textOf(join(home, "place.json")) ?? "{}"));
  const id = last === undefined ? undefined : / id=(\S+)/u.exec(last)?.[1];
  return place.mirrors === undefined && place.moved === id;
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Runs a move until its second step begins, or until it ends; its exit code, or null if it was killed. */
async function killedAtStep(rig: ProcessSession, to: string): Promise<number | null> {
  const mover = spawn(process.execPath, [WISP, "move", "hello", to], {
    ...{ cwd: rig.repository, env: rig.env, stdio: ["ignore", "ignore", "pipe"] },
  });
  let steps = 0;
  mover.stderr.setEncoding("utf8").on("data", (text: string) => {
    steps += text.split("\n").filter((line) => STEP.test(line)).length;
    if (steps >= 2) mover.kill("SIGKILL");
  });
  const [code] = z
    .tuple([z.number().nullable()])
    .rest(z.unknown())
    .parse(await once(mover, "exit"));
  return code;
}

const STEP = /^(?:Making|Ending|Recording|Sending|Comparing|Noting|Removing|From now on)/u;

/** Runs a move that kills itself after it has put its n-th file in place; its exit code, or null if it was killed. */
async function killedAtFile(
  rig: ProcessSession,
  to: string,
  count: number,
): Promise<number | null> {
  rig.env["WISP_FAILPOINT"] = `rename.after:${String(count)}`;
  const ended = await rig.wisp("move", "hello", to);
  delete rig.env["WISP_FAILPOINT"];
  return ended.code;
}

// Not run yet: it never ends after the first way, though the session is there and both homes are the same.
test.skip.each(["between its steps", "when it has put a file in place"])(
  "a move that is killed again and again %s goes on, and never makes two owners",
  async (how) => {
    const gate = gates();
    await using rig = processSession({ scenario: GATED.replaceAll("GATES", gate) });
    rig.write("hello.md", "# Hello\n\nSay hello.\n");
    const started = await rig.wisp("start", "hello.md", "--yes", "--detach");
    expect(started.code, started.stderr).toBe(0);
    const log = () => rig.read("logs/builder.log", "hello");
    await eventually(() => expect(log()).toContain(" turn.begin "));
    for (const to of ["local", "here"]) {
      let kills = 0;
      const ownerCounts: number[] = [];
      const attempt = () =>
        how.startsWith("between") ? killedAtStep(rig, to) : killedAtFile(rig, to, 1 + 3 * kills);
      while ((await attempt()) !== 0) {
        kills += 1;
        expect(kills, rig.read("logs/human.log", "hello")).toBeLessThan(60);
        ownerCounts.push(homesOf(rig).filter(isOwner).length);
      }
      expect(kills).toBeGreaterThan(2);
      expect(Math.max(...ownerCounts)).toBeLessThanOrEqual(1);
      expect(homesOf(rig).filter(isOwner)).toHaveLength(1);
      const [here = "", far] = homesOf(rig);
      expect(isOwner(here)).toBe(to === "here");
      if (to === "here") expect(far).toBeUndefined();
      else {
        await eventually(() =>
          expect(mirroredFiles(here)).toEqual(mirroredFiles(farHome(here, "hello"))),
        );
      }
    }
    writeFileSync(join(gate, "go"), "");
    await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"), {
      signs: log,
    });
    expect(rig.git("show", "wisp/hello:hello.txt")).toBe("hello");
    const human = rig.read("logs/human.log", "hello").trim().split("\n");
    expect(human.filter((line) => line.includes(" moved "))).toHaveLength(2);
  },
);
