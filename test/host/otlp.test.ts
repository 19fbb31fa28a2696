import { expect, test } from "vitest";
import { OtlpSender } from "../../src/host/otlp/otlp-sender.ts";
import { otlpSettings } from "../../src/host/otlp/otlp-settings.ts";
import { SpanCollector } from "../rig/span-collector.ts";

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };

test("the standard variables are read, those for traces before those for all signals", () => {
  expect(otlpSettings(BASE)).toMatchObject({
    value: { headers: {}, timeoutMs: 10_000, resource: { "service.name": "wisp" } },
  });
  const settings = otlpSettings({
    ...BASE,
    OTEL_EXPORTER_OTLP_HEADERS: "a=1",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=Basic%20eA==, x-team = b ",
    OTEL_EXPORTER_OTLP_TIMEOUT: "500",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=ci,service.name=other",
    OTEL_SERVICE_NAME: "mine",
  });
  expect(settings).toMatchObject({
    value: {
      headers: { authorization: "Basic eA==", "x-team": "b" },
      timeoutMs: 500,
      resource: { "deployment.environment.name": "ci", "service.name": "mine" },
    },
  });
  const urlOf = (env: Record<string, string>) => {
    const read = otlpSettings(env);
    return read.ok ? read.value.url.href : undefined;
  };
  expect(urlOf(BASE)).toBe("http://127.0.0.1:4318/v1/traces");
  expect(urlOf({ ...BASE, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://c.example/in" })).toBe(
    "https://c.example/in",
  );
});

test.each([
  { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" },
  { OTEL_EXPORTER_OTLP_ENDPOINT: "file:///etc/passwd" },
  { OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:s3cret@127.0.0.1" },
  { ...BASE, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  { ...BASE, OTEL_EXPORTER_OTLP_HEADERS: "s3cret" },
  { ...BASE, OTEL_EXPORTER_OTLP_HEADERS: "a=s3cret%0d%0ab" },
])("what cannot be used is refused, and no value is told: %o", (env) => {
  const refused = otlpSettings(env);
  expect(refused.ok).toBe(false);
  expect(JSON.stringify(refused)).not.toContain("s3cret");
});

/** A sender of numbers to a collector, with a clock that stands still. */
function senderTo(url: string, timeoutMs = 5_000) {
  const told: string[] = [];
  const clock = { nowMs: 0 };
  const sender = new OtlpSender<number>({
    settings: { url: new URL(url), headers: { "x-key": "s3cret" }, timeoutMs },
    body: (spans) => JSON.stringify(spans),
    nowMs: () => clock.nowMs,
    tell: (text) => told.push(text),
  });
  const send = () => new Promise<void>((resolve) => sender.send(resolve));
  return { sender, told, clock, send };
}

const numbers = (count: number) => [...new Array(count).keys()];

test("spans come in order and some at a time, with the headers", async () => {
  await using collector = await SpanCollector.start();
  const { sender, told, send } = senderTo(collector.url);
  sender.push(numbers(600));
  await send();
  expect(collector.bodies.map((body) => body.length)).toEqual([256, 256, 88]);
  expect(collector.bodies.flat()).toEqual(numbers(600));
  expect(collector.headers[0]).toMatchObject({
    "x-key": "s3cret",
    "content-type": "application/json",
  });
  expect([sender.dropped, told]).toEqual([0, []]);
});

test("what a collector refuses is dropped and counted, and what it may take later is sent again", async () => {
  await using collector = await SpanCollector.start();
  const { sender, told, clock, send } = senderTo(collector.url);
  collector.answers = [500];
  sender.push([1, 2]);
  await send();
  expect([sender.dropped, sender.isEmpty]).toEqual([2, true]);
  expect(told).toEqual(["wisp: spans are not exported: the collector answers with 500"]);
  collector.answers = [503];
  sender.push([3]);
  sender.send(() => undefined);
  await collector.wasAsked(2);
  await sender.idle();
  expect(sender.isEmpty).toBe(false);
  sender.send(() => undefined);
  expect(collector.bodies).toHaveLength(2);
  clock.nowMs = 60_000;
  collector.answers = [];
  await send();
  expect(collector.bodies.at(-1)).toEqual([3]);
  expect([sender.dropped, told.length]).toEqual([2, 1]);
});

test("spans that the collector itself drops are counted", async () => {
  await using collector = await SpanCollector.start();
  collector.text = `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}`;
  const { sender, send } = senderTo(collector.url);
  sender.push([1, 2, 3]);
  await send();
  expect(sender.dropped).toBe(2);
});

test("a redirect is not followed: the headers are for the collector alone", async () => {
  await using other = await SpanCollector.start();
  await using collector = await SpanCollector.start();
  collector.answers = [307];
  collector.location = other.url;
  const { sender, send } = senderTo(collector.url);
  sender.push([1]);
  await send();
  expect([sender.dropped, other.bodies.length]).toEqual([1, 0]);
});

test("while the collector is down, a bounded number waits, and the rest is dropped and counted", async () => {
  const gone = await SpanCollector.start();
  const { url } = gone;
  await gone[Symbol.asyncDispose]();
  const { sender, told } = senderTo(url);
  sender.push(numbers(5_000));
  expect(sender.dropped).toBe(5_000 - 2_048);
  await sender.end(10_000);
  expect(sender.dropped).toBe(5_000);
  expect(told.join()).toContain("the collector cannot be reached");
  expect(told.join()).not.toContain("s3cret");
});

test("a collector that never answers is given up at the end, and after the longest time of a request", async () => {
  await using collector = await SpanCollector.start();
  collector.hangs = true;
  const ending = senderTo(collector.url);
  ending.sender.push([1]);
  await ending.sender.end(10);
  expect(ending.sender.dropped).toBe(1);
  const waiting = senderTo(collector.url, 20);
  waiting.sender.push([1]);
  waiting.sender.send(() => undefined);
  await waiting.sender.idle();
  expect(waiting.told.join()).toContain("the collector does not answer");
  expect(waiting.sender.isEmpty).toBe(false);
});
