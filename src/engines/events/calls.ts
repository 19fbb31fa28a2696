import type { Denial } from "./engine-event.ts";

/** A tool call and its result. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  /** The beginning of its input, as JSON. */
  readonly input: string;
  /** `none` if it has not returned. */
  readonly end: "none" | "good" | "failed" | "refused";
  /** Whether its output contains a diff; a call can also fail after printing one. */
  readonly hasDiff?: boolean | undefined;
}

/** The calls of one turn, in order. */
export interface Calls {
  readonly list: readonly Call[];
  /** Whether the list is complete: only the first `CALLS_MAX` calls are kept. */
  readonly isWhole: boolean;
}

export const CALLS_MAX = 2_000;
export const CALL_INPUT_CHARS_MAX = 4_096;

export const NO_CALLS: Calls = { list: [], isWhole: true };

interface EndedCall {
  readonly id: string;
  readonly end: "good" | "failed" | "refused";
  readonly hasDiff?: boolean | undefined;
  /** The tool and its input, if the result repeats them. */
  readonly tool?: string | undefined;
  readonly input?: string | undefined;
}

/** Records that a call was made. */
export function beginCall(calls: Calls, call: Pick<Call, "id" | "tool" | "input">): Calls {
  return added(calls, { ...call, end: "none" });
}

/** Records that a call returned, even if its start was not reported. A refused call stays refused. */
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

/** Records that a call was refused; its start may or may not have been reported. */
export function refuseCall(calls: Calls, { id, tool, input }: Denial): Calls {
  if (id === undefined) return added(calls, { id: "", tool, input, end: "refused" });
  const at = calls.list.findLastIndex((call) => call.id === id);
  const call = calls.list[at];
  if (call === undefined) return added(calls, { id, tool, input, end: "refused" });
  // A permission request may include more of the input than the start of the call did.
  const refused: Call = { ...call, input: bounded(input), end: "refused" };
  return { ...calls, list: calls.list.with(at, refused) };
}

/** The refused calls. */
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
