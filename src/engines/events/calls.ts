import type { Denial } from "./engine-event.ts";

/** A call of a tool, and what came of it. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  /** What it was given, as JSON: its begin. */
  readonly input: string;
  /** `none`: it has not come back. */
  readonly end: "none" | "good" | "failed" | "refused";
  /** Whether a diff stands in what came back: also of a call that failed after it had printed one. */
  readonly hasDiff?: boolean | undefined;
}

/** The calls of one turn, in their order. */
export interface Calls {
  readonly list: readonly Call[];
  /** Whether these are all of them: a bounded number is kept, the first. */
  readonly isWhole: boolean;
}

export const CALLS_MAX = 2_000;
export const CALL_INPUT_CHARS_MAX = 4_096;

export const NO_CALLS: Calls = { list: [], isWhole: true };

interface EndedCall {
  readonly id: string;
  readonly end: "good" | "failed" | "refused";
  readonly hasDiff?: boolean | undefined;
  /** What it was, where that is told again. */
  readonly tool?: string | undefined;
  readonly input?: string | undefined;
}

/** A call was made. */
export function beginCall(calls: Calls, call: Pick<Call, "id" | "tool" | "input">): Calls {
  return added(calls, { ...call, end: "none" });
}

/** A call came back; one whose begin was not told is a call as well. What was refused stays refused. */
export function endCall(
  calls: Calls,
  { id, end, hasDiff, tool = UNKNOWN_TOOL, input = "{}" }: EndedCall,
): Calls {
  const at = calls.list.findLastIndex((call) => call.id === id);
  const call = calls.list[at];
  if (call === undefined) return added(calls, { id, tool, input, end, hasDiff });
  if (call.end === "refused") return calls;
  return { ...calls, list: calls.list.with(at, { ...call, end, hasDiff }) };
}

/** A call was refused, of which it may be known what it was. */
export function refuseCall(calls: Calls, { id, tool, input }: Denial): Calls {
  if (id === undefined) return added(calls, { id: "", tool, input, end: "refused" });
  const at = calls.list.findLastIndex((call) => call.id === id);
  const call = calls.list[at];
  if (call === undefined) return added(calls, { id, tool, input, end: "refused" });
  // A request for permission may tell more of a call than its begin did.
  const refused: Call = { ...call, input: bounded(input), end: "refused" };
  return { ...calls, list: calls.list.with(at, refused) };
}

/** What of the calls was refused. */
export function denialsIn({ list }: Calls): readonly Denial[] {
  return list.flatMap(({ id, tool, input, end }) =>
    end === "refused" ? [{ ...(id === "" ? {} : { id }), tool, input }] : [],
  );
}

const UNKNOWN_TOOL = "unknown";

function added({ list, isWhole }: Calls, call: Call): Calls {
  if (list.length >= CALLS_MAX) return { list, isWhole: false };
  return { list: [...list, { ...call, input: bounded(call.input) }], isWhole };
}

function bounded(input: string): string {
  return input.slice(0, CALL_INPUT_CHARS_MAX);
}
