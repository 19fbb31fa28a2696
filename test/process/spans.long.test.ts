import { expect, test } from "vitest";
import { exporting, letBuild, spansAt, valueOf, type SentSpan } from "../rig/exported-spans.ts";
import { SpanCollector } from "../rig/span-collector.ts";

/*
 * Spans where the collector or a process fails.
 */

test.each(["hangs", "refuses", "is down"])(
  "if the collector %s, a session completes all the same, and says how many spans were lost",
  async (how) => {
    await using collector = await SpanCollector.start();
    const { url } = collector;
    collector.hangs = how === "hangs";
    if (how === "refuses") collector.answers = new Array<number>(100).fill(500);
    if (how === "is down") await collector[Symbol.asyncDispose]();
    await using session = exporting(url);
    letBuild(session);
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    await session.until("the end of all processes", () => session.leftovers().length === 0);
    expect(session.read("logs/supervisor.out")).toMatch(/wisp: \d+ spans could not be exported\./u);
  },
);

test("a supervisor that is killed, and the one that follows it, send no span under two ids", async () => {
  await using collector = await SpanCollector.start();
  await using session = exporting(collector.url);
  session.spawn("start", "request.md");
  await session.until("a build turn", () =>
    session.read("logs/builder.log").includes("purpose=build"),
  );
  await collector.wasAsked(1);
  const [, pid] = /supervisor\.start pid=(\d+)/u.exec(session.read("logs/supervisor.log")) ?? [];
  process.kill(Number(pid), "SIGKILL");
  letBuild(session);
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const spans = spansAt(collector);
  const units = spans.filter(({ attributes }) => attributes.some(({ key }) => key === "wisp.unit"));
  const named = units.map(
    (span) => `${valueOf(span, "wisp.role") ?? ""} ${valueOf(span, "wisp.unit") ?? ""}`,
  );
  const ids = (all: typeof spans) => all.map(({ spanId }) => spanId);
  // What was sent and not yet noted when the first one was killed comes again, as it was.
  expect(new Set(ids(units)).size).toBe(new Set(named).size);
  const isSession = ({ name }: SentSpan) => name === "wisp session";
  const different = new Set(
    spans.filter((span) => !isSession(span)).map((span) => JSON.stringify(span)),
  );
  expect(different.size).toBe(new Set(ids(spans)).size - 1);
  expect(named.some((name) => name.startsWith("builder build:"))).toBe(true);
});
