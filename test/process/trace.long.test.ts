import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { rolePid } from "../rig/role-pid.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { crossings, readTrace, type ReadTrace } from "../rig/trace.ts";
import { ONE_TASK } from "./scenarios.ts";

test("a role that is killed during its turn leaves a trace that parses, and its successor continues it", async () => {
  const killed = ONE_TASK.replace(
    "build(t) {",
    `async build(t) { await t.until(() => t.logHas("builder.log", "unit.recover"));`,
  );
  await using session = processSession({ scenario: killed });
  const path = join(session.root, "trace.json");
  const run = session.wisp("start", "request.md", "--trace", path);
  await session.until("a turn", () => session.read("logs/builder.log").includes("turn.begin"));
  await session.until("a trace of the builder", () => builders(readTrace(path)) === 1);
  const pid = rolePid(session, "builder") ?? 0;
  process.kill(pid, "SIGKILL");
  expect(readTrace(path).spans.length).toBeGreaterThan(0);
  expect(await run).toMatchObject({ code: 0 });
  expect(builders(readTrace(path))).toBe(2);
  expect(crossings(readTrace(path).spans)).toEqual([]);
});

function builders({ names }: ReadTrace): number {
  return [...names.values()].filter((name) => name === "wisp builder").length;
}

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

test.skipIf(WHY !== "")(`an engine in a sandbox cannot write the trace${WHY}`, async () => {
  const spoils = ONE_TASK.replace(
    "build(t) {",
    String.raw`build(t) {
      const fs = process.getBuiltinModule("node:fs");
      const path = process.env.WISP_HOME + "/../../../trace.json";
      let how = "wrote";
      try { fs.appendFileSync(path, "SPOILT"); } catch (error) { how = error.code; }
      t.put("how.txt", how);`,
  );
  await using session = processSession({ scenario: spoils, sandbox: "bubblewrap" });
  const ended = await session.wisp("start", "request.md", "--trace", "trace.json");
  expect(ended).toMatchObject({ code: 0 });
  expect(session.git("show", "wisp/a-request:how.txt")).not.toBe("wrote");
  const path = join(session.repository, "trace.json");
  expect(readFileSync(path, "utf8")).not.toContain("SPOILT");
  expect(builders(readTrace(path))).toBe(1);
});
