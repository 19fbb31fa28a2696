import { expect, test } from "vitest";
import { acpEvents } from "../../../src/engines/acp/acp-events.ts";
import { claudeEvents } from "../../../src/engines/claude/claude-events.ts";
import { codexEvents, codexRefused } from "../../../src/engines/codex/codex-events.ts";
import { copilotEvents } from "../../../src/engines/copilot/copilot-events.ts";
import type { ParseLine } from "../../../src/engines/events/engine-event.ts";
import { opencodeEvents } from "../../../src/engines/opencode/opencode-events.ts";
import { refusedWords } from "../../../src/engines/events/call-words.ts";
import { CALL_INPUT_CHARS_MAX, CALLS_MAX } from "../../../src/engines/events/calls.ts";
import {
  addEvent,
  NOTHING_REPORTED,
  type TurnReport,
} from "../../../src/engines/events/turn-report.ts";
import { reportOf } from "./transcripts.ts";

function reportFrom(parse: ParseLine, lines: readonly unknown[]): TurnReport {
  return lines
    .flatMap((line) => parse(line))
    .reduce((report, event) => addEvent(report, event, "last"), NOTHING_REPORTED);
}

function refusedIn(name: string): readonly string[] {
  return reportOf(name).denials.map(({ tool, input }) => `${tool} ${input}`);
}

const OUTSIDE = `"/outside/request.md"`;

test.each([
  [
    "claude-2.1.329-outside",
    [
      `Read {"file_path":${OUTSIDE}}`,
      `Write {"file_path":"/outside/x.txt","content":"x"}`,
      `WebFetch {"url":"http://127.0.0.1:1/x","prompt":"p"}`,
      `Edit {"file_path":"/repo/a.txt","old_string":"q","new_string":"b"}`,
    ],
  ],
  [
    "claude-2.1.197-outside",
    [
      `Read {"file_path":${OUTSIDE}}`,
      `Write {"file_path":"/outside/x.txt","content":"x"}`,
      `WebFetch {"url":"http://127.0.0.1:1/x","prompt":"p"}`,
      `Edit {"file_path":"/repo/a.txt","old_string":"q","new_string":"b"}`,
    ],
  ],
  [
    "copilot-outside",
    [
      `view {"path":${OUTSIDE}}`,
      `bash {"command":"cat /outside/request.md","description":"d"}`,
      `create {"path":"/outside/x.txt","file_text":"x"}`,
      `grep {"pattern":"canary","path":"/outside"}`,
      `create {"path":"/repo/z.txt","file_text":"x"}`,
    ],
  ],
  [
    "gemini-outside",
    [
      `read_file {"file_path":${OUTSIDE}}`,
      `read_file {"absolute_path":${OUTSIDE},"file_path":${OUTSIDE}}`,
      `list_directory {"dir_path":"/outside"}`,
      `write_file {"file_path":"/repo/x.txt","content":"x"}`,
      `write_file {"file_path":"/outside/x.txt","content":"x"}`,
      `web_fetch {"prompt":"read http://127.0.0.1:1/x"}`,
      `grep_search {"pattern":"nothing","dir_path":"/outside"}`,
    ],
  ],
  [
    "opencode-outside",
    [
      `read {"filePath":${OUTSIDE}}`,
      `bash {"command":"cat /outside/request.md","description":"d"}`,
      "write {}",
      "write {}",
      "webfetch {}",
      `grep {"pattern":"canary","path":"/outside"}`,
    ],
  ],
  // It reports them only on standard error.
  ["codex-outside", []],
])("%s: reports each refused call once, with its input", (name, refused) => {
  expect(refusedIn(name)).toEqual(refused);
});

test("does not report calls that failed for other reasons", () => {
  const { calls } = reportOf("copilot-outside");
  const failed = calls.list.filter(({ end }) => end === "failed").map(({ input }) => input);
  // An unknown tool, a search without a match, and a missing file.
  expect(failed).toEqual([
    `{"url":"http://127.0.0.1:1/x"}`,
    `{"command":"grep nothing a.txt","description":"d"}`,
    `{"path":"/repo/not-there.txt"}`,
  ]);
});

test("gemini: recognizes a failed command by its exit code, although gemini reports success", () => {
  const { calls } = reportOf("gemini-outside");
  const search = calls.list.find(({ input }) => input.includes("grep nothing a.txt"));
  expect(search?.end).toBe("failed");
});

test.each([
  ["denied by a rule", `Permission to use Bash with command rm -rf x has been denied.`],
  ["a denied path", `File is in a directory that is denied by your permission settings.`],
])("claude: recognizes a refusal: %s", (_, text) => {
  const call = { type: "tool_use", id: "t", name: "Bash", input: { command: "rm -rf x" } };
  const result = { type: "tool_result", tool_use_id: "t", is_error: true, content: text };
  const report = reportFrom(claudeEvents, [
    { type: "assistant", message: { content: [call] } },
    { type: "user", message: { content: [result] } },
  ]);
  expect(report.denials).toEqual([{ id: "t", tool: "Bash", input: `{"command":"rm -rf x"}` }]);
});

test("a successful command whose output mentions permissions was not refused", () => {
  const call = { type: "tool_use", id: "t", name: "Bash", input: { command: "cat log" } };
  const text = "Permission to use Bash has been denied.";
  const result = { type: "tool_result", tool_use_id: "t", is_error: false, content: text };
  const report = reportFrom(claudeEvents, [
    { type: "assistant", message: { content: [call] } },
    { type: "user", message: { content: [result] } },
  ]);
  expect(report.denials).toEqual([]);
});

test("codex: a declined call is refused, and items of unknown kinds count as calls", () => {
  const item = { id: "i", type: "command_execution", command: "rm -rf x" };
  const other = { id: "j", type: "view_image", path: "a.png" };
  const report = reportFrom(codexEvents, [
    { type: "item.started", item },
    { type: "item.completed", item: { ...item, status: "declined" } },
    { type: "item.completed", item: other },
    { type: "item.completed", item: { id: "k", type: "reasoning", text: "hm" } },
  ]);
  expect(report.denials).toEqual([
    { id: "i", tool: "command_execution", input: `{"command":"rm -rf x"}` },
  ]);
  expect(report.calls.list.map(({ tool }) => tool)).toEqual(["command_execution", "view_image"]);
});

test("codex: reads from standard error that a command needed more than its sandbox allows", () => {
  const stderr = [
    "2026-11-22T21:44:01Z ERROR codex_core::tools::router: error=approval policy is Never; reject command — you cannot ask for escalated permissions",
    "2026-11-22T21:44:01Z ERROR codex_core::tools::router: error=unsupported call: apply_patch",
  ].join("\n");
  expect(refusedWords(codexRefused(stderr))).toBe("a command outside of its sandbox");
  expect(codexRefused("all is well")).toEqual([]);
});

test("acp: reports a call that wisp refused, once", () => {
  const update = { sessionUpdate: "tool_call", toolCallId: "c", title: "Fetch x" };
  const failed = { sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" };
  const report = reportFrom(acpEvents, [
    { type: "update", update },
    { type: "refused", id: "c", tool: "Fetch x", input: { url: "x" } },
    { type: "update", update: failed },
  ]);
  expect(report.denials).toEqual([{ id: "c", tool: "Fetch x", input: `{"url":"x"}` }]);
  expect(report.calls.list.map(({ end }) => end)).toEqual(["refused"]);
});

test("opencode: names the tool that its rules disable, not the one that reports it", () => {
  const input = { tool: "write", error: "Model tried to call unavailable tool 'write'." };
  const state = { status: "completed", input, output: "The arguments provided are invalid" };
  const part = { tool: "invalid", callID: "c", state };
  const report = reportFrom(opencodeEvents, [{ type: "tool_use", part }]);
  expect(report.denials).toEqual([{ id: "c", tool: "write", input: "{}" }]);
});

test("copilot: recognizes a refusal by its code, whatever its message", () => {
  const data = { toolCallId: "c", toolName: "bash", arguments: { command: "ls" } };
  const error = { code: "denied", message: "No." };
  const report = reportFrom(copilotEvents, [
    { type: "tool.execution_start", data },
    { type: "tool.execution_complete", data: { toolCallId: "c", success: false, error } },
  ]);
  expect(report.denials).toEqual([{ id: "c", tool: "bash", input: `{"command":"ls"}` }]);
});

test("keeps a bounded number of calls and length of inputs, and records that something was cut", () => {
  const events = Array.from({ length: CALLS_MAX + 5 }, (_, at) => ({
    kind: "tool-call" as const,
    id: String(at),
    name: "bash",
    input: "x".repeat(CALL_INPUT_CHARS_MAX + 1),
  }));
  const report = events.reduce(
    (before, event) => addEvent(before, event, "last"),
    NOTHING_REPORTED,
  );
  expect(report.calls.list).toHaveLength(CALLS_MAX);
  expect(report.calls.isWhole).toBe(false);
  expect(report.calls.list[0]?.input).toHaveLength(CALL_INPUT_CHARS_MAX);
});

test.each([
  ["a path by its file name", "view", { path: "/a/b/request.md" }, "view on …/request.md"],
  ["a path of the clone unchanged", "Read", { file_path: "a.txt" }, "Read on a.txt"],
  ["a command by its beginning", "bash", { command: "cat  x\n| wc" }, "bash: cat x | wc"],
  ["a list of words", "exec", { command: ["git", "diff"] }, "exec: git diff"],
  ["other inputs by the tool", "todo", { items: 3 }, "todo"],
  ["an input that is not an object by the tool", "todo", "x", "todo"],
])("describes a refused call: %s", (_, tool, input, words) => {
  expect(refusedWords([{ tool, input: JSON.stringify(input) }])).toBe(words);
});

test("names several refused calls once each, counts the rest, and cleans a model's words", () => {
  const one = { tool: "view", input: `{"path":"/a/r.md"}` };
  const many = ["a", "b", "c", "d"].map((name) => ({ tool: name, input: "{}" }));
  expect(refusedWords([one, one, ...many])).toBe("view on …/r.md; a; b; and 2 more");
  expect(refusedWords([{ tool: "ba\u001b[31msh", input: `{"command":"a\\u202Eb"}` }])).not.toMatch(
    /[\u001b\u202e]/u,
  );
  const long = { tool: "t".repeat(500), input: JSON.stringify({ command: "x".repeat(9_000) }) };
  expect(refusedWords([long]).length).toBeLessThan(200);
  expect(refusedWords([])).toBe("");
});

test("finds a diff in the output of a call that failed", () => {
  const call = { kind: "tool-call", id: "1", name: "bash", input: "{}" } as const;
  const failed = (text: string) =>
    [call, { kind: "tool-result", id: "1", isError: true, text } as const].reduce(
      (report, event) => addEvent(report, event, "last"),
      NOTHING_REPORTED,
    ).calls.list[0]?.hasDiff;
  expect(failed("diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\nnot ok 1\n")).toBe(true);
  expect(failed("   42\t@@ -1 +1 @@\n")).toBeUndefined();
  expect(failed("fatal: bad object\n")).toBeUndefined();
});
