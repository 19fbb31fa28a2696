import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";
import type { BrokenServer, EngineEvent, Trouble } from "../events/engine-event.ts";
import { numberAt, textAt, valueAt } from "../events/json-value.ts";

/**
 * Reads the output of `opencode run --format json` (1.18.33). There is no final line: the turn ends with a step
 * that finished with `stop`. Usage and cost are reported per step.
 */
export function opencodeEvents(line: unknown): readonly EngineEvent[] {
  const type = textAt(line, "type");
  const session = textAt(line, "sessionID");
  const events = eventsOf(type, line);
  return session === undefined ? events : [{ kind: "session", session }, ...events];
}

function eventsOf(type: string | undefined, line: unknown): readonly EngineEvent[] {
  const part = valueAt(line, "part");
  switch (type) {
    case "text":
      return [{ kind: "text", text: textAt(part, "text") ?? "", isDelta: false }];
    case "tool_use":
      return toolEvents(part);
    case "step_finish":
      return [usage(part), ...endOf(textAt(part, "reason"))];
    case "error": {
      const result = { kind: "result", isSuccess: false, text: undefined, denials: [] } as const;
      return [{ kind: "error", trouble: troubleOf(valueAt(line, "error")) }, result];
    }
    default:
      return [{ kind: "unknown", type }];
  }
}

const REFUSED =
  /^(?:The user has specified a rule which prevents you|The user rejected permission|.*PermissionRejectedError)/u;

/** The tool that replaces one disabled by the rules; the call's input is then lost. */
const DISABLED_TOOL = "invalid";

/** A call is reported only once it has ended. */
function toolEvents(part: unknown): readonly EngineEvent[] {
  const id = textAt(part, "callID") ?? "";
  const state = valueAt(part, "state");
  const wanted =
    textAt(part, "tool") === DISABLED_TOOL ? textAt(state, "input", "tool") : undefined;
  if (wanted !== undefined) {
    const text = textAt(state, "input", "error") ?? "";
    const isRefused = text.includes("unavailable tool");
    return [
      { kind: "tool-call", id, name: wanted, input: "{}" },
      { kind: "tool-result", id, isError: true, isRefused, text },
    ];
  }
  const input = JSON.stringify(valueAt(state, "input") ?? {});
  const isError =
    textAt(state, "status") !== "completed" || (numberAt(state, "metadata", "exit") ?? 0) !== 0;
  const text = textAt(state, "output") ?? textAt(state, "error") ?? "";
  const isRefused = textAt(state, "status") === "error" && REFUSED.test(text);
  return [
    { kind: "tool-call", id, name: textAt(part, "tool") ?? "unknown", input },
    { kind: "tool-result", id, isError, isRefused, text },
  ];
}

function usage(part: unknown): EngineEvent {
  const tokens = tokensOf(valueAt(part, "tokens"));
  const cost = numberAt(part, "cost");
  // A model without a known price reports a cost of 0, which means unknown.
  const isPriced = cost !== undefined && (cost > 0 || tokens?.input === 0);
  return { kind: "usage", tokens, costUsd: isPriced ? cost : undefined };
}

function tokensOf(tokens: unknown): Tokens | undefined {
  const [fresh, answered] = [numberAt(tokens, "input"), numberAt(tokens, "output")];
  if (fresh === undefined || answered === undefined) return undefined;
  const cached = numberAt(tokens, "cache", "read") ?? 0;
  const written = numberAt(tokens, "cache", "write") ?? 0;
  const output = answered + (numberAt(tokens, "reasoning") ?? 0);
  return { input: fresh + cached + written, output, cached };
}

/** The reason `tool-calls` means that another step follows. */
function endOf(reason: string | undefined): readonly EngineEvent[] {
  const result = { kind: "result", text: undefined, denials: [] } as const;
  if (reason === "stop") return [{ ...result, isSuccess: true }];
  if (reason === "tool-calls") return [{ kind: "unknown", type: "step_finish" }];
  const message = `the last step ended with: ${reason ?? "no reason"}`;
  return [
    { kind: "error", trouble: { message, code: reason } },
    { ...result, isSuccess: false },
  ];
}

function troubleOf(error: unknown): Trouble {
  const seconds = textAt(error, "data", "responseHeaders", "retry-after");
  const isNumber = seconds !== undefined && /^\d+$/u.test(seconds);
  return {
    message: textAt(error, "data", "message") ?? textAt(error, "message") ?? "failed",
    status: numberAt(error, "data", "statusCode"),
    code: textAt(error, "name"),
    retryAfterMs: isNumber ? Number(seconds) * 1_000 : undefined,
  };
}

/** Whether a line of its standard error belongs to its log (`--print-logs`). */
export function isOpencodeLog(line: string): boolean {
  return LOG.test(line);
}

const LOG = /^timestamp=\S+ +level=/u;

/** Requests of the turn's own in the log; those for a title are small. */
const REQUEST = /^timestamp=\S+ +level=(?:INFO|ERROR) .*\bmessage=(?:stream|"stream error") .*/u;
const MESSAGE = /\berror\.error="((?:[^"\\]|\\.)*)"/u;

/**
 * The failure after which it waits before it asks again: the log has a line for each request as it begins, and another
 * one if it failed (1.18.33). It says neither the status nor how long it waits.
 */
export function opencodeWaits(stderr: string): Trouble | undefined {
  const requests = stderr.split("\n").filter((line) => {
    return REQUEST.test(line) && !/ small=true(?: |$)/u.test(line);
  });
  const isBegin = (line: string) => line.includes(" message=stream ");
  const last = requests.at(-1);
  // Without the lines of requests that begin, at another level of the log, the next try would not be seen.
  if (last === undefined || isBegin(last) || !requests.some(isBegin)) return undefined;
  const message = MESSAGE.exec(last)?.[1]?.replaceAll(/\\(.)/gu, "$1") ?? "a request failed";
  return { message };
}

/** A line of its log about a server of its settings. */
const SERVER = / message="server unavailable" key=(?<name>\S+) .*status=failed/u;

/** The MCP servers that it could not start, by its log (1.18.33); it goes on without them. */
export function opencodeBrokenServers(stderr: string): readonly BrokenServer[] {
  return stderr.split("\n").flatMap((line) => {
    const name = SERVER.exec(line)?.groups?.["name"];
    return name === undefined ? [] : [{ name, reason: undefined }];
  });
}
