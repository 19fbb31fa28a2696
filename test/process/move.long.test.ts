import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { farHome, farRoot } from "./far-files.ts";

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
