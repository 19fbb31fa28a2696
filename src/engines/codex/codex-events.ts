import type { BrokenServer, Denial, EngineEvent, Trouble } from "../events/engine-event.ts";
import { numberAt, textAt, valueAt } from "../events/json-value.ts";

/**
 * Reads the output of `codex exec --json` (0.169.0). The HTTP status is only in the message. An item of type
 * `error` is a warning, which appears in successful runs too.
 */
export function codexEvents(line: unknown): readonly EngineEvent[] {
  const type = textAt(line, "type");
  switch (type) {
    case "thread.started": {
      const session = textAt(line, "thread_id");
      return session === undefined ? [{ kind: "unknown", type }] : [{ kind: "session", session }];
    }
    case "item.started":
    case "item.completed":
      return itemEvents(type, valueAt(line, "item"));
    case "error":
      return [errorEvent(textAt(line, "message") ?? "")];
    case "turn.completed":
      return [usage(line), { kind: "result", isSuccess: true, text: undefined, denials: [] }];
    case "turn.failed": {
      const trouble = troubleOf(textAt(line, "error", "message") ?? "");
      const result = { kind: "result", isSuccess: false, text: undefined, denials: [] } as const;
      return [{ kind: "error", trouble }, result];
    }
    default:
      return [{ kind: "unknown", type }];
  }
}

/** The field with the input of each kind of tool call; for other kinds it is the whole item. */
const CALLS: Readonly<Record<string, string>> = {
  command_execution: "command",
  file_change: "changes",
  mcp_tool_call: "arguments",
  web_search: "query",
};

/** Items that are not tool calls. */
const NO_CALLS: ReadonlySet<string> = new Set([
  ...["", "agent_message", "reasoning", "todo_list", "error"],
]);

function itemEvents(
  when: "item.started" | "item.completed",
  item: unknown,
): readonly EngineEvent[] {
  const type = textAt(item, "type") ?? "";
  const id = textAt(item, "id") ?? "";
  const text = textAt(item, "text");
  const isStart = when === "item.started";
  if (type === "agent_message" && text !== undefined && !isStart) {
    return [{ kind: "text", text, isDelta: false }];
  }
  if (NO_CALLS.has(type)) return [{ kind: "unknown", type: `${when}/${type}` }];
  const given = Object.hasOwn(CALLS, type) ? CALLS[type] : undefined;
  const input = JSON.stringify(given === undefined ? item : { [given]: valueAt(item, given) });
  const call = { name: type, input };
  if (isStart) return [{ kind: "tool-call", id, ...call }];
  const status = textAt(item, "status");
  const isRefused =
    status === "declined" || NOT_APPROVED.test(textAt(item, "error", "message") ?? "");
  const isError = isRefused || status === "failed" || (numberAt(item, "exit_code") ?? 0) !== 0;
  const output = textAt(item, "aggregated_output") ?? "";
  return [{ kind: "tool-result", id, isError, isRefused, text: output, call }];
}

/** What becomes of a call of an MCP server's tool that the settings do not approve. */
const NOT_APPROVED = /^MCP tool call requires approval, but approval policy is /u;

/** Nobody can approve: a command that needs more than the sandbox allows gets no item of its own. */
const REFUSED = /\berror=(?:approval policy is \S+; reject command|(?:patch|exec) rejected)/u;

/** The refused calls that codex reports on standard error, which does not include their input. */
export function codexRefused(stderr: string): readonly Denial[] {
  const lines = stderr.split("\n").filter((line) => REFUSED.test(line));
  return lines.map(() => ({ tool: "a command outside of its sandbox", input: "{}" }));
}

/**
 * At its start codex prepares a folder of helpers, and removes others' folders that seem abandoned, even one that
 * another codex is just preparing. That codex finds its folder locked or gone and continues without it, and its
 * commands fail.
 */
const WITHOUT_HELPERS =
  /^WARNING: .*could not (?:create PATH aliases|update PATH): .*(?:would block|no such file|file exists|not empty)/imu;

/** Whether codex reports that it started without its helpers, because another codex started at the same moment. */
export function isCodexMisstarted(stderr: string): boolean {
  return WITHOUT_HELPERS.test(stderr);
}

/** How codex ends before the turn if servers that it must wait for did not start. Each follows with its reason. */
const UNSTARTED =
  /required MCP servers failed to initialize: (?<servers>.+?)(?: \(code -?\d+\))?$/mu;

/** Without which of these MCP servers codex did not start. */
export function codexUnstartedServers(
  stderr: string,
  names: readonly string[],
): readonly BrokenServer[] {
  const servers = UNSTARTED.exec(stderr)?.groups?.["servers"];
  if (servers === undefined) return [];
  return names.flatMap((name) => {
    const [, reason] = `; ${servers}`.split(`; ${name}: `);
    return reason === undefined ? [] : [{ name, reason: reason.replace(/: .*$|; .*$/u, "") }];
  });
}

function usage(line: unknown): EngineEvent {
  const input = numberAt(line, "usage", "input_tokens");
  const output = numberAt(line, "usage", "output_tokens");
  const cached = numberAt(line, "usage", "cached_input_tokens") ?? 0;
  const tokens =
    input === undefined || output === undefined ? undefined : { input, output, cached };
  return { kind: "usage", tokens, costUsd: undefined };
}

/** codex retries by itself after a message such as `Reconnecting... 1/5 (…)`. */
const RECONNECTING = /^Reconnecting\.\.\./u;

function errorEvent(message: string): EngineEvent {
  return { kind: RECONNECTING.test(message) ? "retry" : "error", trouble: troubleOf(message) };
}

function troubleOf(message: string): Trouble {
  const status = /\b(?:last|unexpected) status:? (\d{3})\b/u.exec(message)?.[1];
  return { message, status: status === undefined ? undefined : Number(status) };
}
