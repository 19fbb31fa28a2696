import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { farHome, mirroredFiles } from "./far-files.ts";
import { WHOLE_RUN } from "./scenarios.ts";

const VERIFY = `verify: [["test", "!", "-e", "broken"]]\n`;

test("a session that is started elsewhere runs there, and all of it arrives here", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN, config: VERIFY });
  rig.write("greeting.md", "# Greeting\n\nSay hello.\n");
  const started = await rig.wisp("start", "greeting.md", "--on", "local", "--yes");
  expect(started).toMatchObject({ code: 0 });
  const home = rig.home("greeting");
  await eventually(() => expect(rig.read("logs/builder.done", "greeting")).toContain("complete|"), {
    signs: () => rig.read("logs/builder.log", "greeting"),
  });
  await eventually(() =>
    expect(mirroredFiles(home)).toEqual(mirroredFiles(farHome(home, "greeting"))),
  );
  expect(existsSync(join(home, "session.json"))).toBe(true);

  const far = join(farHome(home, "greeting"), "../../..");
  const head = execFileSync("git", ["rev-parse", "wisp/greeting"], { cwd: far, encoding: "utf8" });
  await eventually(() => expect(rig.git("rev-parse", "wisp/greeting")).toBe(head.trim()));
  const status = await rig.wisp("status", "greeting");
  expect(status.stdout).toContain("complete");
});
