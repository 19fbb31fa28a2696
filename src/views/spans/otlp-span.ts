import { sha256 } from "../../base/sha256.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** A value of an attribute. */
type Value = string | number | boolean;

/** Attributes; those that are undefined are left out. */
export type Attributes = Readonly<Record<string, Value | undefined>>;

/** Something that happened at one moment of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly atMs: number;
  readonly attributes: Attributes;
}

/** A span of a session's trace. Times are in milliseconds since 1970. */
export interface SessionSpan {
  readonly id: string;
  /** The span around it; undefined for that of the session. */
  readonly parentId: string | undefined;
  readonly name: string;
  /** `client`: another program was asked, such as an engine. */
  readonly kind: "internal" | "client";
  readonly fromMs: number;
  readonly toMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** The kind of the failure, if it failed. */
  readonly failure: string | undefined;
}

const TRACE_ID_CHARS = 32;
const SPAN_ID_CHARS = 16;

/** What a session's ids are made from: no two sessions have the same, and no process needs to remember them. */
export type TracedSession = Pick<SessionJson, "id" | "branch" | "base" | "createdAt">;

export function traceIdOf({ id, base, createdAt }: TracedSession): string {
  return sha256(["wisp trace", id, base, createdAt].join("\n")).slice(0, TRACE_ID_CHARS);
}

/** The id of what a record names: the same whichever process tells of it, and however often. */
export function spanIdOf(traceId: string, ...names: readonly string[]): string {
  return sha256([traceId, ...names].join("\n")).slice(0, SPAN_ID_CHARS);
}

/** The body of a request, in the JSON encoding of OTLP. */
export function otlpBody(
  spans: readonly SessionSpan[],
  {
    traceId,
    resource,
    version,
  }: { readonly traceId: string; readonly resource: Attributes; readonly version: string },
): string {
  const scopeSpans = [{ scope: { name: "wisp", version }, spans: spans.map(encoded(traceId)) }];
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: encodedAttributes(resource) }, scopeSpans }],
  });
}

/** The numbers of the protocol. */
const KINDS = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;

function encoded(traceId: string): (span: SessionSpan) => object {
  return ({ id, parentId, name, kind, fromMs, toMs, attributes, events, failure }) => ({
    traceId,
    spanId: id,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    ...{ name, kind: KINDS[kind] },
    startTimeUnixNano: nanos(fromMs),
    // A clock that was set back meanwhile makes no span that ends before it begins.
    endTimeUnixNano: nanos(Math.max(fromMs, toMs)),
    attributes: encodedAttributes({ ...attributes, "error.type": failure }),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: nanos(event.atMs),
      attributes: encodedAttributes(event.attributes),
    })),
    status: failure === undefined ? {} : { code: STATUS_ERROR },
  });
}

/** Nanoseconds as digits: they are beyond what a number holds. */
function nanos(ms: number): string {
  return `${String(Math.trunc(ms))}000000`;
}

function encodedAttributes(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodedValue(value) }],
  );
}

function encodedValue(value: Value): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
