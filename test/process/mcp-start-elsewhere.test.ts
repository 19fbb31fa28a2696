import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect } from "../rig/mcp-connection.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { WHOLE_RUN } from "./scenarios.ts";

const REQUEST = "# Greeting\n\nSay hello.\n";

/** The repository's settings name an executor of the person's own that makes no place. */
function withBrokenBox(): ProcessSession {
  const rig = processSession({ scenario: WHOLE_RUN, config: "executor: box\n" });
  const settings = join(String(rig.env["HOME"]), ".config/wisp");
  mkdirSync(settings, { recursive: true });
  const box = "{ kind: command, create: ['false'], exec: ['false'], destroy: ['false'] }";
  writeFileSync(join(settings, "config.yaml"), `executors:\n  box: ${box}\n`);
  return rig;
}

test("a client starts a session elsewhere and follows it here", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN });
  await using connection = await connect(rig);
  const started = await connection.call("start_session", { request: REQUEST, on: "local" });
  expect(started).toMatchObject({ data: { session: "greeting", runs: true, on: "local" } });
  expect(existsSync(join(rig.home("greeting"), "place.json"))).toBe(true);
  const ended = await connection.call("work_status", { session: "greeting", waitSeconds: 60 });
  expect(ended.data).toMatchObject({ state: "PENDING_REVIEW" });
});

test("two calls for the same session elsewhere start one", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN });
  await using connection = await connect(rig);
  const input = { request: REQUEST, run: false, on: "local" };
  const both = [0, 1].map(() => connection.call("start_session", input));
  const [one, two] = await Promise.all(both);
  expect(one).toMatchObject({ isError: false, data: { session: "greeting", on: "local" } });
  expect(two).toEqual(one);
});

test("the settings say where a session of a client runs, unless it says `here`", async () => {
  await using rig = withBrokenBox();
  await using connection = await connect(rig);
  const far = await connection.call("start_session", { request: REQUEST });
  expect(far.isError).toBe(true);
  expect(far.text).toContain("box");
  const here = await connection.call("start_session", { request: REQUEST, run: false, on: "here" });
  expect(here).toMatchObject({ isError: false, data: { session: "greeting", runs: false } });
  expect(existsSync(join(rig.home("greeting"), "place.json"))).toBe(false);
});

test("a client cannot name a host of its own, to which the repository would be sent", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN });
  await using connection = await connect(rig);
  const far = await connection.call("start_session", { request: REQUEST, on: "ssh:elsewhere" });
  expect(far.isError).toBe(true);
  expect(existsSync(rig.home("greeting"))).toBe(false);
});
