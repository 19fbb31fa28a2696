import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { ROLES } from "../../src/base/role.ts";
import { checkSession } from "../rig/check-session.ts";
import { exporting, letBuild, SECRET, spansAt, valueOf } from "../rig/exported-spans.ts";
import { SpanCollector } from "../rig/span-collector.ts";

/*
 * The spans of a real session, as a collector on the loopback interface gets them.
 */

const Recorded = z.object({ kind: z.string(), unit: z.string().optional() });

test("a collector gets the session, its roles, their units and the turns of engines, each once, and no secret or path", async () => {
  await using collector = await SpanCollector.start();
  await using session = exporting(collector.url);
  letBuild(session);
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const spans = spansAt(collector);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const ids = spans.map(({ spanId }) => spanId);
  expect(new Set(ids).size).toBe(ids.length);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(roots.map(({ name }) => name)).toEqual(["wisp session"]);
  for (const { parentSpanId } of spans)
    if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId);
  const below = (id: string | undefined) => spans.filter(({ parentSpanId }) => parentSpanId === id);
  const roles = below(roots[0]?.spanId);
  expect(roles.map(({ name }) => name).sort()).toEqual([...ROLES].sort());
  const { history } = checkSession(session.home());
  for (const role of ROLES) {
    const units = below(roles.find(({ name }) => name === role)?.spanId);
    const recorded = z.array(Recorded).parse(history[role].records);
    const begun = recorded.filter(({ kind }) => kind === "unit.begin").map(({ unit }) => unit);
    expect(units).toHaveLength(begun.length);
    const turns = units.flatMap(({ spanId }) => below(spanId));
    expect(turns).toHaveLength(recorded.filter(({ kind }) => kind === "turn.begin").length);
    expect(new Set(turns.map(({ name }) => name))).toEqual(
      new Set(turns.length > 0 ? ["invoke_agent command"] : []),
    );
  }
  const built = spans.find(({ name }) => name === "build");
  expect(valueOf(built, "wisp.outcome")).toBe("milestone");
  expect(valueOf(built, "wisp.milestone")).toBe("Read /home/user/notes, not REDACTED");
  expect(collector.headers.map((headers) => headers["x-key"])).toContain(SECRET);
  const sent = collector.texts.join("\n");
  for (const hidden of [session.root, "sk-0000", SECRET, "Say hello"])
    expect(sent).not.toContain(hidden);
  const seen = session.git("show", "wisp/a-request:seen.txt").split("\n");
  expect(seen).toContain("WISP_UNIT");
  expect(seen.filter((name) => name.startsWith("OTEL_"))).toEqual([]);
  for (const log of ["supervisor.out", "supervisor.log", "builder.log"]) {
    expect(session.read(`logs/${log}`)).not.toContain(SECRET);
  }
});

test("without a collector, or if it is turned off, none of its code is loaded", async () => {
  await using session = exporting("http://127.0.0.1:9");
  session.env["OTEL_SDK_DISABLED"] = "true";
  const out = join(session.root, "loaded.txt");
  const hook = join(session.root, "hook.cjs");
  writeFileSync(
    hook,
    String.raw`process.on("exit", () => require("fs").appendFileSync(${JSON.stringify(out)}, process.argv.slice(2).join(" ") + " " + Object.keys(require.cache).join(" ") + "\n"));`,
  );
  session.env["NODE_OPTIONS"] = `--require ${hook}`;
  letBuild(session);
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const supervisors = () =>
    readFileSync(out, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("supervise "));
  expect(supervisors()).toHaveLength(1);
  expect(readFileSync(out, "utf8")).not.toContain("export-spans");
  Reflect.deleteProperty(session.env, "OTEL_SDK_DISABLED");
  expect(await session.wisp("start", "request.md", "--again")).toMatchObject({ code: 0 });
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  expect(supervisors()[1]).toContain("export-spans");
});
