import { shown } from "../../base/words/shown.ts";
import { cleanSpan, row, span, type Row } from "../rows/row.ts";
import { table, type Cell } from "../rows/table.ts";
import type { Tone } from "../../base/words/sentence.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import type { EntryJson, FleetJson } from "../../fs-protocol/queue/queue-json.ts";

/** One request of a start, and how far it is. */
export interface StartedRequest {
  /** Names the sessions of one start together. */
  readonly fleet: string;
  /** The path of the request, as it was when it was queued. */
  readonly request: string;
  /** `submitted`: its place waits in a queue of its own. `retrying`: the last attempt failed, and another will follow. */
  readonly state: "starting" | "started" | "waiting" | "submitted" | "retrying" | "failed";
  readonly session: string | undefined;
  readonly branch: string | undefined;
  /** Why it has failed, or what it waits for. */
  readonly reason: { readonly code: string; readonly says: string } | undefined;
  /** In how many ms it is tried again. */
  readonly againMs: number | undefined;
}

/** What `wisp start --json` prints for more than one request; fields are added, never renamed or removed. */
export interface StartsView {
  readonly schema: "wisp.starts/1";
  readonly requests: readonly StartedRequest[];
}

/** How far one entry of a queue is. */
export function startedRequest(
  { fleet }: Pick<FleetJson, "fleet">,
  { request, state, session, branch, reason, afterMs }: EntryJson,
  nowMs: number,
): StartedRequest {
  const isSubmitted = reason?.code === "place-waits";
  const againMs = afterMs === undefined || isSubmitted ? undefined : Math.max(0, afterMs - nowMs);
  const isTried = reason !== undefined && (state === "waiting" || state === "claimed");
  const name = isTried ? (isSubmitted ? "submitted" : "retrying") : state;
  return {
    ...{ fleet, request, session, branch, reason, againMs },
    state: name === "claimed" ? "starting" : name,
  };
}

const TONES: Readonly<Record<StartedRequest["state"], Tone>> = {
  starting: "plain",
  started: "good",
  waiting: "plain",
  submitted: "plain",
  retrying: "ask",
  failed: "bad",
};

/** One row for each request: its file, how far it is, and its session or the reason. */
export function startsRows(requests: readonly StartedRequest[]): readonly Row[] {
  return table(requests.map(cellsOf));
}

function cellsOf({ request, state, session, branch, reason, againMs }: StartedRequest): Cell[] {
  const head = [span("strong", shown(request)), span(TONES[state], state)];
  if (state === "started")
    return [...head, cleanSpan("plain", `${session ?? ""}  ${branch ?? ""}`)];
  const says = reason === undefined ? WAITS[state] : reason.says;
  const again = againMs === undefined ? "" : `; tried again in ${formatDuration(againMs)}`;
  return [...head, row(cleanSpan("plain", `${says ?? ""}${again}`))];
}

const WAITS: Partial<Readonly<Record<StartedRequest["state"], string>>> = {
  waiting: "until another session of this start is over",
  starting: "being started",
};
