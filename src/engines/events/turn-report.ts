import type { Tokens, RunUsage } from "../../fs-protocol/records/turn-usage.ts";
import { beginCall, denialsIn, endCall, NO_CALLS, refuseCall, type Calls } from "./calls.ts";
import type { BrokenServer, Denial, EngineEvent, Trouble } from "./engine-event.ts";

/** Whether a CLI's usage events add up, or each replaces the previous one. */
export type UsageSteps = "sum" | "last";

/** A summary of the events of one turn. */
/** When a limit ends, and whether it is that of one model, as far as the provider said. */
export type ReachedLimit = Pick<Extract<EngineEvent, { kind: "limit" }>, "resetAtMs" | "isOfModel">;

export interface TurnReport {
  readonly session: string | undefined;
  readonly model: string | undefined;
  readonly version: string | undefined;
  /** The model's text since its last tool call, which is its answer. */
  readonly text: string;
  /** Whether the CLI reported success and nothing followed. Not sufficient by itself: see `judge-end.ts`. */
  readonly isSuccess: boolean;
  readonly hasResult: boolean;
  readonly usage: RunUsage | undefined;
  readonly calls: Calls;
  /** The refused calls. */
  readonly denials: readonly Denial[];
  /** The number of tool calls that returned, and of those without an error. */
  readonly toolResults: { readonly all: number; readonly good: number };
  /** MCP servers that could not be started. */
  readonly brokenServers: readonly BrokenServer[];
  /** The last error; the turn may have recovered from it. */
  readonly error: Trouble | undefined;
  /** The limit that was reached since the model's last words, and when it ends, as far as that was said. */
  readonly limit: ReachedLimit | undefined;
  readonly retry: Trouble | undefined;
  /** Whether the model has produced nothing since the last retry. */
  readonly isRetrying: boolean;
  /** The number of output lines, and of those in the CLI's own format. */
  readonly lines: { readonly all: number; readonly known: number };
}

/** The report of a turn before anything is read. */
export const NOTHING_REPORTED: TurnReport = {
  session: undefined,
  model: undefined,
  version: undefined,
  text: "",
  isSuccess: false,
  hasResult: false,
  usage: undefined,
  calls: NO_CALLS,
  denials: [],
  brokenServers: [],
  toolResults: { all: 0, good: 0 },
  error: undefined,
  limit: undefined,
  retry: undefined,
  isRetrying: false,
  lines: { all: 0, known: 0 },
};

/** The report after one more event. */
export function addEvent(report: TurnReport, event: EngineEvent, steps: UsageSteps): TurnReport {
  const isKnown = event.kind !== "unknown" || event.type !== undefined;
  const lines = {
    all: report.lines.all + 1,
    known: report.lines.known + (isKnown ? 1 : 0),
  };
  return { ...report, ...changesOf(report, event, steps), lines };
}

/** The report with additional refused calls, which were reported elsewhere. */
export function addDenials(report: TurnReport, denials: readonly Denial[]): TurnReport {
  return { ...report, ...refusedIn(denials.reduce(refuseCall, report.calls)) };
}

/** Any activity of the model after a success revokes the success: the turn has not ended. No limit stopped it. */
const GOES_ON = { isSuccess: false, isRetrying: false, limit: undefined } as const;

function changesOf(report: TurnReport, event: EngineEvent, steps: UsageSteps): Partial<TurnReport> {
  switch (event.kind) {
    case "session": {
      const { session, model = report.model, version = report.version } = event;
      return { session, model, version };
    }
    case "model":
      return { model: event.model };
    case "text":
      return { ...GOES_ON, text: joined(report.text, event.text, event.isDelta) };
    case "tool-call": {
      const { id, name: tool, input } = event;
      return { ...GOES_ON, text: "", calls: beginCall(report.calls, { id, tool, input }) };
    }
    case "tool-result": {
      const { all, good } = report.toolResults;
      const toolResults = { all: all + 1, good: good + (event.isError ? 0 : 1) };
      const calls = endCall(report.calls, endedCall(event));
      return { isRetrying: false, text: "", toolResults, ...refusedIn(calls) };
    }
    case "retry":
      return { retry: event.trouble, isRetrying: true };
    case "error":
      return { error: event.trouble };
    case "broken-server":
      return { brokenServers: withServer(report.brokenServers, event.server) };
    case "limit":
      return { limit: event.isReached ? laterLimit(report.limit, event) : undefined };
    case "usage": {
      const { tokens, costUsd } = event;
      const before = steps === "sum" ? report.usage : undefined;
      return { usage: summed(before, { tokens, costUsd }) };
    }
    case "result": {
      const { isSuccess, denials, text } = event;
      const answer = text === undefined || text === "" ? report.text : text;
      const calls = denials.reduce(refuseCall, report.calls);
      return { hasResult: true, isSuccess, text: answer, ...refusedIn(calls) };
    }
    case "denial":
      return refusedIn(refuseCall(report.calls, event.denial));
    case "unknown":
      return {};
  }
}

/** If several limits were reached, the turn can go on when the last of them has ended. */
function laterLimit(before: ReachedLimit | undefined, now: ReachedLimit): ReachedLimit {
  const known = [before?.resetAtMs, now.resetAtMs].filter((endMs) => endMs !== undefined);
  const resetAtMs = known.length === 0 ? undefined : Math.max(...known);
  // Another model does not help if one of them is that of the account.
  const isOfModel = before?.isOfModel === false ? false : now.isOfModel;
  return { resetAtMs, isOfModel };
}

/** The report of a turn that was waiting for its next try, as was reported elsewhere. */
export function addWait(report: TurnReport, trouble: Trouble | undefined): TurnReport {
  return trouble === undefined ? report : { ...report, retry: trouble, isRetrying: true };
}

/** The report with servers that could not be started, as was reported elsewhere. */
export function addBrokenServers(report: TurnReport, servers: readonly BrokenServer[]): TurnReport {
  return { ...report, brokenServers: servers.reduce(withServer, report.brokenServers) };
}

/** Each server once, as it was told last. */
function withServer(
  before: readonly BrokenServer[],
  server: BrokenServer,
): readonly BrokenServer[] {
  return [...before.filter(({ name }) => name !== server.name), server];
}

function endedCall({
  id,
  isError,
  isRefused,
  text,
  call,
}: Extract<EngineEvent, { kind: "tool-result" }>): Parameters<typeof endCall>[1] {
  const end = isRefused === true ? "refused" : isError ? "failed" : "good";
  const shown = end === "failed" && DIFF.test(text) ? { hasDiff: true } : {};
  return { id, end, ...shown, tool: call?.name, input: call?.input };
}

/** A header line of a unified diff or of one of its hunks. */
const DIFF = /^(?:diff --git |@@ -\d)/mu;

function refusedIn(calls: Calls): Pick<TurnReport, "calls" | "denials"> {
  return { calls, denials: denialsIn(calls) };
}

function joined(before: string, text: string, isDelta: boolean): string {
  return before === "" || isDelta ? before + text : `${before}\n${text}`;
}

/** A sum with an unknown part is unknown. */
function summed(before: RunUsage | undefined, { tokens, costUsd }: RunUsage): RunUsage {
  if (before === undefined) return { tokens, costUsd };
  const isKnown = before.costUsd !== undefined && costUsd !== undefined;
  return {
    tokens: before.tokens && tokens && plus(before.tokens, tokens),
    costUsd: isKnown ? before.costUsd + costUsd : undefined,
  };
}

function plus(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
  };
}
