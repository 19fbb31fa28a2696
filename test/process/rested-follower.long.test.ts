import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { farRoot } from "./far-files.ts";
import { ONE_TASK } from "./scenarios.ts";

test("nobody follows a session elsewhere that is at rest; a command for it follows it again, and it is shipped as ever", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const words = ["start", "hello.md", "--on", "local", "--yes", "--detach"];
  expect(await rig.wisp(...words)).toMatchObject({ code: 0 });
  const log = () => rig.read("logs/builder.log", "hello");
  const followers = () => rig.leftovers().filter((line) => line.includes("mirror hello"));
  await eventually(() => expect(followers()).not.toEqual([]));
  await eventually(() => expect(rig.read("logs/builder.done", "hello")).toContain("complete|"), {
    signs: log,
  });
  await eventually(() => expect(followers()).toEqual([]), {
    // Written as long as it follows.
    signs: () => rig.read("locks/link.json", "hello"),
  });
  const root = farRoot(rig.home("hello"));
  expect((await rig.wisp("list")).stdout).toContain("DONE (complete");
  expect((await rig.wisp("status", "hello")).stdout).toMatch(/DONE \(complete[^]*in touch/u);
  expect(followers()).not.toEqual([]);
  expect(await rig.wisp("review", "hello", "--approve")).toMatchObject({ code: 0 });
  expect(await rig.wisp("done", "hello", "--yes", "--no-push")).toMatchObject({ code: 0 });
  expect(existsSync(root)).toBe(false);
  await eventually(() => expect(followers()).toEqual([]));
});
