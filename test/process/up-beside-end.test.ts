import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { processSession } from "../rig/process-session.ts";

/** Its first turn waits until it is asked to end, and takes a while to do so; the next ones build. */
const slowToEnd = (begun: string) => String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    if (!existsSync("${begun}")) {
      let isAsked = false;
      process.on("SIGTERM", () => (isAsked = true));
      writeFileSync("${begun}", "");
      while (!isAsked) await setTimeout(20);
      await setTimeout(3_000);
      process.exit(1);
    }
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

test("wisp up beside a supervisor that was just asked to end waits for it, and goes on with the session", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const begun = join(folder, "begun");
  await using session = processSession({ scenario: slowToEnd(begun) });
  session.spawn("start", "request.md", "--plain", "--yes");
  const log = () => session.read("logs/supervisor.log");
  await session.until("a turn", () => existsSync(begun));
  const [, pid = ""] = / supervisor\.start pid=(\d+)/u.exec(log()) ?? [];
  process.kill(Number(pid), "SIGTERM");
  await session.until("the stopping", () => log().includes("stopping: "));
  const { code, stdout, stderr } = await session.wisp("up", "--plain");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain("starting another one");
  expect(stdout).toContain("is complete");
});
