import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK, WHOLE_RUN } from "./scenarios.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

test("roles undo and record what an engine does to protocol files during its turn", async () => {
  await using session = processSession({
    scenario: ONE_TASK + SABOTAGE,
  });
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(restoredIn(session, "reviewer")).toEqual([
    "logs/reviewer.checkpoint",
    "logs/reviewer.log",
  ]);
  expect(restoredIn(session, "builder")).toEqual([
    "TASKS.md",
    "logs/builder.log",
    "logs/milestones.log",
  ]);
  expect(restoredIn(session, "tester")).toContain("logs/tester.log");
  expect(session.read("logs/milestones.log")).not.toContain("Forged");
  expect(session.read("TASKS.md")).toContain("- [x] Say hello");
  expect(session.read("session.json")).toContain('"version"');
  const status = (await session.wisp("status")).stdout;
  expect(status).toContain("logs/tester.log was changed by someone else and restored");
});

/** The files that a role restored, each once, without session.json, which any role restores. */
function restoredIn(session: ProcessSession, name: string): readonly string[] {
  const log = session.read(`logs/${name}.log`);
  const files = [...log.matchAll(/ file\.restored file=(\S+)/g)].map(([, file = ""]) => file);
  return [...new Set(files)].filter((file) => file !== "session.json").sort();
}

/** The reviewer of a milestone attacks its own files and the builder's; the tester appends to its own log. */
const SABOTAGE = String.raw`
  async "review-milestone"(t) {
    const { rmSync, writeFileSync, appendFileSync, readFileSync } = await import("node:fs");
    const logs = t.home + "/logs/";
    rmSync(logs + "reviewer.log");
    writeFileSync(logs + "reviewer.checkpoint", "f".repeat(40) + "\n");
    const builder = readFileSync(logs + "builder.log", "utf8");
    writeFileSync(logs + "builder.log", builder.split("\n").reverse().join("\n"));
    appendFileSync(logs + "milestones.log", "Forged|" + "a".repeat(40) + "|" + "b".repeat(40) + "\n");
    rmSync(t.home + "/TASKS.md");
    rmSync(t.home + "/session.json");
    t.passed();
  },
  async test(t) {
    const { appendFileSync } = await import("node:fs");
    const line = "2026-11-20T12:00:00.000Z test.end unit=test:One:" + t.end + " m=One outcome=tested bugs=[] commits=-\n";
    appendFileSync(t.home + "/logs/tester.log", line);
    t.passed();
  },
`;

test("projections that are removed while the session runs are restored at once", async () => {
  await using session = processSession({
    scenario: `${WHOLE_RUN}
      async "final-test"(t) { await t.until(() => t.has(t.home + "/go")); t.passed(); },`,
  });
  session.spawn("start", "request.md");
  await session.until("the final pass", () =>
    session.read("logs/tester.log").includes("purpose=final-test"),
  );
  const lists = ["REVIEWS.md", "TASKS.md", "logs/milestones.log", "logs/reviewer.checkpoint"];
  const isQuiet = () => session.read("logs/reviewer.checkpoint").split("\n").length > 3;
  await session.until("a quiet session", isQuiet);
  const before = lists.map((path) => session.read(path));
  for (const path of lists) rmSync(join(session.home(), path));
  await session.until("the lists", () => {
    return lists.every((path, index) => session.read(path).length >= (before[index] ?? "").length);
  });
  expect(session.read("REVIEWS.md")).toBe(before[0]);
  writeFileSync(join(session.home(), "go"), "");
  await session.until("the end", () => existsSync(join(session.home(), "logs/builder.done")));
});

test("human.log, the request and other roles' logs are restored while the turn that damaged them still runs", async () => {
  await using session = processSession({
    scenario: `${ONE_TASK}
      async "review-milestone"(t) { await t.until(() => t.has(t.home + "/go")); t.passed(); },`,
  });
  await session.wisp("start", "request.md", "--no-up");
  // Two records of a person: a stop, and the resume that lifts it.
  await session.wisp("stop");
  session.spawn("up");
  await session.until("the review", () =>
    session.read("logs/reviewer.log").includes("purpose=review-milestone"),
  );
  const before = HARMS.map(([file]) => session.read(file));
  for (const [file, harm] of HARMS) harm(join(session.home(), file));
  await session.until("the files", () =>
    HARMS.every(([file], index) => session.read(file).startsWith(before[index] ?? "none")),
  );
  writeFileSync(join(session.home(), "go"), "");
  await session.until("the end", () =>
    session.read("logs/supervisor.log").includes(" supervisor.end "),
  );
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(history.human.records.map(({ kind }) => kind)).toEqual(["stop", "resume"]);
  const logs = ["planner", "builder", "reviewer", "tester", "supervisor"].map((name) =>
    session.read(`logs/${name}.log`),
  );
  for (const [file] of HARMS) {
    const isOnRecord = logs.some((log) => log.includes(` file.restored file=${file} found=`));
    expect([file, isOnRecord]).toEqual([file, true]);
  }
  const status = (await session.wisp("status")).stdout;
  expect(status).toContain("logs/human.log was changed by someone else and restored");
  expect(await session.wisp("fsck")).toMatchObject({ code: 0 });
});

/** What an engine without a sandbox can do in its turn to files that are not its role's. */
const HARMS: readonly (readonly [string, (path: string) => void])[] = [
  ["logs/human.log", (path) => rmSync(path)],
  ["request.md", (path) => writeFileSync(path, "# Another request\n")],
  ["session.json", (path) => writeFileSync(path, "{}\n")],
  ["logs/supervisor.log", (path) => writeFileSync(path, reversed(readFileSync(path, "utf8")))],
  ["logs/planner.log", (path) => writeFileSync(path, "")],
];

function reversed(text: string): string {
  return text.split("\n").reverse().join("\n");
}
