import { listAt, textAt, valueAt } from "../events/json-value.ts";

/** A call of a tool, by all that the agent has said about it. */
export interface AcpCall {
  /** Kinds of the protocol, such as `read`; without `other`, which says nothing. */
  readonly kinds: ReadonlySet<string>;
  /** Paths that it reads or changes, as the agent named them. */
  readonly places: ReadonlySet<string>;
}

/** The number of calls that are remembered, the newest ones; a request about an older one has only its own words. */
const CALLS_MAX = 1_000;
/** The number of paths of one call; one with more touches a place that is nowhere, which nobody may touch. */
const PLACES_MAX = 1_000;
const NOWHERE = "";

const UNKNOWN: AcpCall = { kinds: new Set(), places: new Set() };

/** The calls of a turn: an agent may announce a call as `read` and then ask about it as `other`. */
export class AcpCalls {
  readonly #known = new Map<string, AcpCall>();

  /** Adds what a `tool_call` or a `tool_call_update` says. */
  note(update: unknown): void {
    const id = textAt(update, "toolCallId");
    if (id === undefined) return;
    const call = this.asked(update);
    // Put last again: the first is the one that was mentioned the longest ago.
    this.#known.delete(id);
    this.#known.set(id, call);
    const [oldest] = this.#known.keys();
    if (this.#known.size > CALLS_MAX && oldest !== undefined) this.#known.delete(oldest);
  }

  /** The call that a request is about, with what was said about it before. */
  asked(toolCall: unknown): AcpCall {
    const { kinds, places } = this.#known.get(textAt(toolCall, "toolCallId") ?? "") ?? UNKNOWN;
    const kind = textAt(toolCall, "kind") ?? "other";
    return {
      kinds: kind === "other" ? kinds : new Set([...kinds, kind]),
      places: bounded(new Set([...places, ...placesIn(toolCall)])),
    };
  }
}

/** Its locations, and the files whose change it shows. */
function placesIn(toolCall: unknown): readonly string[] {
  const locations = listAt(toolCall, "locations").map((at) => valueAt(at, "path"));
  const changed = listAt(toolCall, "content").filter((part) => textAt(part, "type") === "diff");
  const all = [...locations, ...changed.map((part) => valueAt(part, "path"))];
  return all.map((path) => (typeof path === "string" ? path : NOWHERE));
}

function bounded(places: ReadonlySet<string>): ReadonlySet<string> {
  if (places.size <= PLACES_MAX) return places;
  return new Set([NOWHERE, ...[...places].slice(0, PLACES_MAX - 1)]);
}
