import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { ROLES, type Role } from "../../src/base/role.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import {
  crossings,
  isWithin,
  readTrace,
  type CompleteEvent,
  type ReadTrace,
} from "../rig/trace.ts";

const READER = join(import.meta.dirname, "../../bench/read-trace.js");
const HOSTILE = `a|b "c" \\ },{"ph":"X" 🎉`;
/** Commands and engines are allowed to see every variable of wisp's, and note which they see. */
const SEES_ALL = `
verify: [[node, -e, "process.exitCode = 'WISP_TRACE' in process.env ? 1 : 0"]]
commands: { env: ["WISP_*"] }
roles: { ${ROLES.map((role) => `${role}: { env: ["WISP_*"] }`).join(", ")} }
`;
const NOTES_ENVIRONMENT = String.raw`
  plan: (t) => t.plan(${JSON.stringify(`## Milestone: ${HOSTILE}\n\n- [ ] Say hello\n`)}),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.put("seen.txt", Object.keys(process.env).join("\n"));
    t.commit("Say hello");
    t.tick();
  },
`;

const Recorded = z.object({
  kind: z.string(),
  time: z.string(),
  unit: z.string().optional(),
  purpose: z.string().optional(),
});

const Refused = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** The spans of the process that plays a role; each role has exactly one. */
function spansOf({ spans, names }: ReadTrace, role: Role): readonly CompleteEvent[] {
  const pids = [...names].filter(([, name]) => name === `wisp ${role}`).map(([pid]) => pid);
  expect(pids).toHaveLength(1);
  return spans.filter(({ pid }) => pid === pids[0]);
}

/** The sum of the clocks' resolutions, and what a clock may be set by meanwhile. */
const CLOCKS_MS = 1_000;

test("--trace shows each unit once, with its engine's turns inside it, for every process, and no engine sees it", async () => {
  await using session = processSession({ scenario: NOTES_ENVIRONMENT, config: SEES_ALL });
  const path = join(session.root, "trace.json");
  const ended = await session.wisp("start", "request.md", "--trace", "../trace.json");
  expect(ended).toMatchObject({ code: 0 });
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const trace = readTrace(path);
  expect([...trace.names.values()].sort()).toEqual(
    [...ROLES, "supervisor", "start"].map((name) => `wisp ${name}`).sort(),
  );
  expect(crossings(trace.spans)).toEqual([]);
  const { history } = checkSession(session.home());
  const called = (name: string, cat: string) =>
    trace.spans.filter((span) => span.name === name && span.cat === cat);
  expect(called("node", "start")).toHaveLength(trace.names.size);
  for (const span of called("node", "start")) {
    expect(
      called("load", "start").filter((load) => load.pid === span.pid && isWithin(span, load)),
    ).toHaveLength(1);
  }
  expect(called("supervisor", "wait")).toHaveLength(1);
  for (const role of ROLES) {
    const spans = spansOf(trace, role);
    const units = spans.filter(({ cat }) => cat === "unit");
    const recorded = z.array(Recorded).parse(history[role].records);
    const ofKind = (wanted: string) => recorded.filter(({ kind }) => kind === wanted);
    expect(units.map(({ name }) => name)).toEqual(ofKind("unit.begin").map(({ unit }) => unit));
    const engines = spans.filter(({ cat }) => cat === "engine");
    const [begins, ends] = [ofKind("turn.begin"), ofKind("turn.end")];
    expect(engines.map(({ args }) => [args["unit"], args["purpose"]])).toEqual(
      begins.map(({ unit, purpose }) => [unit, purpose]),
    );
    for (const [index, engine] of engines.entries()) {
      const around = units.filter((unit) => isWithin(engine, unit));
      expect(around.map(({ name }) => name)).toEqual([engine.args["unit"]]);
      const [beginMs, endMs] = [begins, ends].map((all) => Date.parse(all[index]?.time ?? ""));
      expect(engine.ts / 1_000).toBeGreaterThan((beginMs ?? NaN) - CLOCKS_MS);
      expect((engine.ts + engine.dur) / 1_000).toBeLessThan((endMs ?? NaN) + CLOCKS_MS);
    }
  }
  const built = trace.spans.find(({ cat, name }) => cat === "unit" && name.startsWith("build:"));
  expect(built?.args).toMatchObject({ step: "build", outcome: "milestone" });
  for (const category of ["git", "append", "command", "publish", "projection", "lock", "wait"]) {
    expect(trace.spans.map(({ cat }) => cat)).toContain(category);
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const seen = session.git("show", "wisp/a-request:seen.txt").split("\n");
  expect(seen).toContain("WISP_UNIT");
  expect(seen).not.toContain("WISP_TRACE");
  const table = execFileSync(process.execPath, [READER, path], { encoding: "utf8" });
  for (const name of ["build:", "final:1", "all units", "wisp tester"]) {
    expect(table).toContain(name);
  }
});

test("a file that cannot be traced to is refused before anything is made, and stays as it is", async () => {
  await using session = processSession({});
  const at = (name: string) => join(session.root, name);
  mkdirSync(at("folder"));
  writeFileSync(at("notes.txt"), "[mine]");
  for (const [name, why] of [
    ["missing/trace.json", "it is not there"],
    ["folder", "it is a directory"],
    ["notes.txt", "is not a trace"],
  ] as const) {
    const refused = await session.wisp("start", "request.md", "--json", "--trace", at(name));
    expect(refused.code).toBe(2);
    const { error } = Refused.parse(JSON.parse(refused.stdout));
    expect(error.code).toBe("trace");
    expect(error.message).toContain(why);
  }
  expect(existsSync(join(session.repository, ".wisp/sessions"))).toBe(false);
  expect(readFileSync(at("notes.txt"), "utf8")).toBe("[mine]");
  expect(readdirSync(session.root).sort()).toEqual(before(session));
});

function before(session: ProcessSession): readonly string[] {
  expect(existsSync(session.repository)).toBe(true);
  return ["empty-home", "folder", "notes.txt", "repository", "scenario.mjs"];
}

test("WISP_TRACE is like --trace, a second command continues the trace, and without them its code is not loaded", async () => {
  await using session = processSession({});
  const hook = join(session.root, "hook.cjs");
  writeFileSync(
    hook,
    `process.on("exit", () => console.log(Object.keys(require.cache).join("\\n")));`,
  );
  const loaded = (words: readonly string[], variables: NodeJS.ProcessEnv = {}) =>
    execFileSync(process.execPath, ["--require", hook, WISP, ...words], {
      cwd: session.repository,
      env: { ...session.env, ...variables },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const words = ["start", "request.md", "--no-up", "--yes"];
  const path = join(session.repository, "trace.json");
  expect(loaded(words)).not.toContain("open-trace");
  expect(session.git("status", "--porcelain")).toBe("");
  expect(loaded(["list"], { WISP_TRACE: "trace.json" })).toContain("open-trace");
  expect(loaded(["status"], { WISP_TRACE: path })).toContain("open-trace");
  expect([...readTrace(path).names.values()]).toEqual(["wisp list", "wisp status"]);
  loaded(["up", "--dry-run", "--trace", join(session.root, "other.json")]);
  expect(existsSync(join(session.root, "other.json"))).toBe(false);
});
