import {
  appendFileSync,
  lstatSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { putLink, putPipe } from "../rig/odd-entries.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK, WHOLE_RUN } from "./scenarios.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** The builder first: as long as its log is damaged, the session is not over for the others. */
const NAMES = ["builder", "planner", "reviewer", "tester"] as const;

/** Bytes that no writer of wisp's leaves behind, appended to a log. */
const TAILS: Readonly<Record<string, Uint8Array>> = {
  "a torn line": Buffer.from("2026-11-20T12:00:00.000Z unit.begin unit=build:One"),
  NULs: Buffer.alloc(350),
  "glued records": Buffer.from(
    "2026-11-20T12:00:00.000Z role.start pid=12026-11-20T12:00:00.000Z role.start pid=1\n",
  ),
  "a line with CRLF": Buffer.from("2026-11-20T12:00:00.000Z note text=crlf\r\n"),
  "a byte order mark": Buffer.from("\uFEFF2026-11-20T12:00:00.000Z note text=bom\n"),
  "invalid UTF-8": Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x0a]),
  "a line of 10 MB": Buffer.concat([Buffer.alloc(10 * 1024 * 1024, "x"), Buffer.from("\n")]),
  "tomorrow's time": Buffer.from(`${at(1)} note text=tomorrow\n`),
  "yesterday's time": Buffer.from(`${at(-1)} note text=yesterday\n`),
};

function at(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** Runs a session whose logs all contain every kind of garbage from the start. */
test("a session whose logs all contain every kind of garbage completes, and reports the lines that it skipped", async () => {
  await using session = processSession({ scenario: WHOLE_RUN });
  await session.wisp("start", "request.md", "--no-up");
  const garbage = Buffer.concat(
    Object.values(TAILS).flatMap((tail) => {
      const isLine = tail.at(-1) === 0x0a;
      return isLine ? [tail] : [tail, Buffer.from(" |torn\n")];
    }),
  );
  for (const name of [...NAMES, "supervisor"]) {
    appendFileSync(join(session.home(), "logs", `${name}.log`), garbage);
  }
  const ended = await session.wisp("up");
  expect(ended).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  const status: unknown = JSON.parse((await session.wisp("status", "--json")).stdout);
  // Torn, NULs, glued, not UTF-8, too long: five of each log.
  expect(status).toMatchObject({ quarantined: { lines: 5 * 5 } });
  const kept = session.read("logs/quarantine.log").trimEnd().split("\n");
  expect(kept).toHaveLength(5 * 5);
  expect(kept.every((line) => line.length < 30_000)).toBe(true);
});

/** What may happen to a file while no role runs. */
const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ["removed", (path) => rmSync(path)],
  ["emptied", (path) => writeFileSync(path, "")],
  ["cut in half", (path) => writeFileSync(path, readFileSync(path, "utf8").slice(0, -200))],
  ["reordered", (path) => writeFileSync(path, reversed(readFileSync(path, "utf8")))],
  ["a pipe", putPipe],
  ["a link to itself as it was", putLink],
];

function reversed(text: string): string {
  return text
    .split(/(?<=\n)/)
    .reverse()
    .join("");
}

/** The records of a log without starts, ends and restorations. */
function work(session: ProcessSession, name: string): string {
  return session
    .read(`logs/${name}.log`)
    .split("\n")
    .filter((line) => !/ (role\.start|role\.end|file\.restored) /.test(line))
    .join("\n");
}

test("roles restore their own journals, however they were damaged at rest, and do nothing twice", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const logs = NAMES.map((name) => join(realpathSync(session.home()), "logs", `${name}.log`));
  const before = NAMES.map((name) => work(session, name));
  for (const [how, damage] of DAMAGES) {
    for (const log of logs) damage(log);
    // A role that finds something else than a file in place of another role's log stops with an error, and is started
    // again.
    for (const name of NAMES) await session.wisp("agent", name);
    for (const name of NAMES) expect(await session.wisp("agent", name)).toMatchObject({ code: 0 });
    expect([how, ...NAMES.map((name) => work(session, name))]).toEqual([how, ...before]);
    expect(logs.every((log) => lstatSync(log).isFile())).toBe(true);
  }
  expect(checkSession(session.home()).broken).toBeUndefined();
});
