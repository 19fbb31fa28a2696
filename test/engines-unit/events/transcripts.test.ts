import { expect, test } from "vitest";
import type { TurnEnd } from "../../../src/engines/judge/judge-end.ts";
import { eventsIn, exited, judged, NOW_MS, reportOf, transcriptNames } from "./transcripts.ts";

const CUT: TurnEnd = { kind: "timed-out" };

/** Each transcript, how its CLI ended, and the result of the turn. */
const ENDS: readonly (readonly [name: string, end: TurnEnd, what: string])[] = [
  ["claude-2.1.197-400", exited(1), "limited"],
  ["claude-2.1.197-401", CUT, "auth"],
  ["claude-2.1.197-429", exited(1), "limited"],
  ["claude-2.1.197-529", exited(1), "overloaded"],
  ["claude-2.1.197-badresume", exited(1), "no-session"],
  ["claude-2.1.197-denied", exited(0), "refused-permission"],
  ["claude-2.1.197-hang-SIGINT", exited(0), "crash"],
  ["claude-2.1.197-hang-SIGINT-resume", exited(0), "success"],
  ["claude-2.1.197-hang-SIGKILL", { kind: "killed", signalName: "SIGKILL" }, "crash"],
  ["claude-2.1.197-hang-SIGKILL-resume", exited(0), "success"],
  ["claude-2.1.197-hang-SIGTERM", exited(143), "crash"],
  ["claude-2.1.197-hang-SIGTERM-resume", exited(0), "success"],
  ["claude-2.1.197-mid", exited(0), "success"],
  ["claude-2.1.197-ok", exited(0), "success"],
  ["claude-2.1.197-outside", exited(0), "success"],
  ["claude-2.1.197-partial-messages", exited(0), "success"],
  ["claude-2.1.197-refused", exited(1), "network"],
  ["claude-2.1.197-retry", exited(0), "success"],
  ["claude-2.1.197-slowtool-SIGINT", exited(1), "crash"],
  ["claude-2.1.197-slowtool-SIGINT-resume", exited(0), "success"],
  ["claude-2.1.197-slowtool-SIGKILL", { kind: "killed", signalName: "SIGKILL" }, "crash"],
  ["claude-2.1.197-slowtool-SIGKILL-resume", exited(0), "success"],
  ["claude-2.1.197-slowtool-SIGTERM", exited(143), "crash"],
  ["claude-2.1.197-slowtool-SIGTERM-resume", exited(0), "success"],
  ["claude-2.1.329-401", exited(1), "auth"],
  ["claude-2.1.329-429", exited(1), "limited"],
  ["claude-2.1.329-hang-SIGINT", exited(0), "crash"],
  ["claude-2.1.329-hang-SIGTERM", exited(143), "crash"],
  ["claude-2.1.329-kill-SIGINT", exited(0), "crash"],
  ["claude-2.1.329-kill-SIGTERM", exited(143), "crash"],
  ["claude-2.1.329-limit", exited(1), "limited"],
  ["claude-2.1.329-overage", exited(0), "success"],
  ["claude-2.1.329-overage-failed", exited(1), "crash"],
  ["claude-2.1.329-outside", exited(0), "success"],
  ["claude-2.1.329-ok", exited(0), "success"],
  ["codex-401", exited(1), "auth"],
  ["codex-429", exited(1), "limited"],
  ["codex-SIGINT", exited(1), "crash"],
  ["codex-SIGINT-resume", exited(0), "success"],
  ["codex-SIGTERM", exited(143), "crash"],
  ["codex-SIGTERM-resume", exited(0), "success"],
  ["codex-cut", exited(0), "success"],
  ["codex-limit", exited(1), "limited"],
  ["codex-limit-days", exited(1), "limited"],
  ["codex-ok", exited(0), "success"],
  ["codex-outside", exited(0), "success"],
  ["codex-retry", exited(0), "success"],
  ["copilot-401", exited(1), "auth"],
  ["copilot-429", exited(1), "limited"],
  ["copilot-SIGINT", exited(130), "crash"],
  ["copilot-SIGINT-resume", exited(0), "success"],
  ["copilot-SIGTERM", exited(143), "crash"],
  ["copilot-SIGTERM-resume", exited(0), "success"],
  ["copilot-anthropic-ok", exited(0), "success"],
  ["copilot-cut", exited(0), "success"],
  ["copilot-ok", exited(0), "success"],
  ["copilot-outside", exited(0), "refused-permission"],
  ["copilot-retry", exited(0), "success"],
  ["gemini-401", exited(145), "auth"],
  ["gemini-429", CUT, "hang"],
  ["gemini-SIGINT", exited(0), "success"],
  ["gemini-SIGINT-resume", exited(0), "success"],
  ["gemini-SIGTERM", exited(0), "success"],
  ["gemini-SIGTERM-resume", exited(0), "success"],
  ["gemini-cut", exited(0), "success"],
  ["gemini-ok", exited(0), "success"],
  ["gemini-outside", exited(0), "success"],
  ["gemini-quota", exited(173), "limited"],
  ["gemini-retry", exited(0), "success"],
  ["opencode-401", exited(1), "auth"],
  ["opencode-429", exited(1), "limited"],
  ["opencode-SIGINT", exited(0), "success"],
  ["opencode-SIGINT-resume", exited(0), "success"],
  ["opencode-SIGTERM", exited(143), "crash"],
  ["opencode-SIGTERM-resume", exited(0), "success"],
  ["opencode-cut", exited(0), "success"],
  ["opencode-ok", exited(0), "success"],
  ["opencode-outside", exited(0), "refused-permission"],
  ["opencode-retry", exited(0), "success"],
];

function containing(text: string): unknown {
  return expect.stringContaining(text);
}

test("the table has every transcript", () => {
  expect(ENDS.map(([name]) => name).sort()).toEqual([...transcriptNames()].sort());
});

test.each(ENDS)("%s ended with %o: %s", (name, end, what) => {
  expect(judged(name, end)?.class ?? "success").toBe(what);
});

test.each(ENDS)("%s with another exit code is not a success", (name) => {
  expect(judged(name, exited(1))).toBeDefined();
  expect(judged(name, { kind: "killed", signalName: "SIGTERM" })).toBeDefined();
  expect(judged(name, { kind: "timed-out" })).toBeDefined();
});

test.each(ENDS.filter(([, , what]) => what !== "success"))(
  "%s is not a success, even with exit code 0",
  (name) => {
    expect(judged(name, exited(0))).toBeDefined();
  },
);

test.each([
  ["claude-2.1.329-ok", "done", "ea40ca01-32db-40f5-9a87-9e09ad25676f"],
  ["claude-2.1.197-denied", "end", "6b5c35e2-2217-41f4-a0d7-a52558ed4aa8"],
  ["codex-ok", "Done.", "01a1fb65-edc8-7873-b47d-e027e7abf8dd"],
  ["copilot-ok", "Done.", "1b1593aa-0161-4ff1-8bd4-aa6e12aa5e73"],
  ["gemini-ok", "Done.", "20b03048-a51d-45db-b222-f21806204fdc"],
  ["opencode-ok", "Done.", "ses_e049a0557ffe0tpSVBFUgpr4L6"],
])("%s: the answer is %j and the session %s", (name, text, session) => {
  expect(reportOf(name)).toMatchObject({ text, session });
});

test.each([
  ["claude-2.1.197-ok", { input: 3_000, output: 150, cached: 0 }, 0.018750000000000003],
  ["claude-2.1.329-ok", { input: 2_000, output: 100, cached: 0 }, 0.01],
  ["codex-ok", { input: 2_000, output: 100, cached: 0 }, undefined],
  ["gemini-ok", { input: 2_000, output: 100, cached: 0 }, undefined],
  ["opencode-ok", { input: 2_000, output: 100, cached: 0 }, 0.0075],
])("%s: reports its usage", (name, tokens, costUsd) => {
  expect(reportOf(name).usage).toEqual(expect.objectContaining({ tokens, costUsd }));
});

test("copilot reports neither tokens nor cost: they are unknown, not 0", () => {
  expect(reportOf("copilot-ok").usage).toBeUndefined();
});

test.each([
  ["claude-2.1.329-ok", "Bash"],
  ["codex-ok", "command_execution"],
  ["copilot-ok", "bash"],
  ["gemini-ok", "run_shell_command"],
  ["opencode-ok", "bash"],
])("%s: matches the call of %s with its result", (name, tool) => {
  const events = eventsIn(name);
  const call = events.find((event) => event.kind === "tool-call");
  const result = events.find((event) => event.kind === "tool-result");
  expect(call).toMatchObject({ name: tool, input: containing("git commit") });
  expect(result).toMatchObject({ id: call?.id, isError: false });
});

test("claude's version is known, because versions report cost differently", () => {
  expect(reportOf("claude-2.1.197-ok").version).toBe("2.1.197");
  expect(reportOf("claude-2.1.329-ok").version).toBe("2.1.329");
});

test("reports a call that claude was denied, with its input", () => {
  expect(reportOf("claude-2.1.197-denied").denials).toEqual([
    { id: "toolu_mock_2_0", tool: "Bash", input: containing("curl") },
    { id: "toolu_mock_2_1", tool: "Write", input: containing("z.txt") },
  ]);
});

test("computes a limit's end from the last delay", () => {
  expect(judged("claude-2.1.329-429", exited(1))?.untilMs).toBe(NOW_MS + 1_116);
  expect(judged("opencode-429", exited(1))?.untilMs).toBe(NOW_MS + 1_000);
  expect(judged("codex-429", exited(1))?.untilMs).toBeUndefined();
});

test("gemini: explains a turn that was ended during retries by its standard error", () => {
  const stderr = "Attempt 4 failed with status 429. Retrying with backoff... Too Many Requests";
  expect(judged("gemini-429", CUT, { stderr })?.class).toBe("limited");
});

test("a turn that hangs after it worked is a hang, whatever is on standard error", () => {
  const stderr = "warning: the socket of the network was slow";
  expect(judged("claude-2.1.197-hang-SIGTERM", { kind: "idle" }, { stderr })?.class).toBe("hang");
});
