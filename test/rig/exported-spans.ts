import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { processSession, type ProcessSession } from "./process-session.ts";
import type { SpanCollector } from "./span-collector.ts";

/*
 * Sessions that send their spans to a collector, and what it got.
 */

/** What only the collector may know. */
export const SECRET = "s3cret-of-the-collector";
const NAME = "Read /home/user/notes, not sk-0000000000000000000000";
const SCENARIO = String.raw`
  plan: (t) => t.plan(${JSON.stringify(`## Milestone: ${NAME}\n\n- [ ] Say hello\n`)}),
  async build(t) {
    await t.until(() => t.has(process.env.HOME + "/go"));
    t.put("hello.txt", "hello\n");
    t.put("seen.txt", Object.keys(process.env).join("\n"));
    t.commit("Say hello");
    t.tick();
  },
`;

const Value = z.object({
  stringValue: z.string().optional(),
  intValue: z.string().optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const Attributes = z.array(z.object({ key: z.string(), value: Value }));
/** A span as it was sent. */
const Span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/u),
  spanId: z.string().regex(/^[0-9a-f]{16}$/u),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string().regex(/^\d{19}$/u),
  endTimeUnixNano: z.string().regex(/^\d{19}$/u),
  attributes: Attributes,
});
const Request = z.object({
  resourceSpans: z.tuple([
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.tuple([
        z.object({ scope: z.looseObject({ name: z.literal("wisp") }), spans: z.array(Span) }),
      ]),
    }),
  ]),
});

export type SentSpan = z.infer<typeof Span>;

/** All spans that a collector got, in order. */
export function spansAt(collector: SpanCollector): readonly SentSpan[] {
  return collector.texts.flatMap(
    (text) => Request.parse(JSON.parse(text)).resourceSpans[0].scopeSpans[0].spans,
  );
}

/** An attribute that is a text. */
export function valueOf(span: SentSpan | undefined, key: string): string | undefined {
  return span?.attributes.find((one) => one.key === key)?.value.stringValue;
}

/** A session whose builder waits until it may build. */
export function exporting(url: string): ProcessSession {
  const session = processSession({ scenario: SCENARIO });
  session.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = url;
  session.env["OTEL_EXPORTER_OTLP_HEADERS"] = `x-key=${SECRET}`;
  return session;
}

export function letBuild(session: ProcessSession): void {
  writeFileSync(join(session.env["HOME"] ?? "", "go"), "");
}
