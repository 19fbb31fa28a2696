import { expect, test } from "vitest";
import { appendFileSync } from "node:fs";
import { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { HumanRecord } from "../../../src/fs-protocol/records/human-log.ts";
import { roleLog, type Home } from "../../../src/fs-protocol/home/home.ts";
import { encodeRecord } from "../../../src/fs-protocol/codec/record-codec.ts";
import { TesterRecord } from "../../../src/fs-protocol/records/tester-log.ts";
import { createHost } from "../../../src/host/host.ts";
import { inProcessSession, put } from "../../rig/in-process-session.ts";
import { ofKind, readRecords } from "../../rig/read-log.ts";
import { timeAt } from "../../rig/records.ts";
import { found } from "../../agents/turns.ts";
import { DONE, planned, SUMMING } from "./summing.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

// Whole sessions in which an existing test is weakened, and the code that it guarded breaks.

const { verify, files, right, broken, weakTests, bentTests, tests } = SUMMING;
const SUMS = "test/sum.test.js";

test("a fix that changes a test to match broken code fails, and the next attempt's prompt gives the reason", async () => {
  using session = inProcessSession({ verify, files });
  let isFound = false;
  const prompts: string[] = [];
  await session.runAll(
    planned(
      { One: "Add a parser" },
      { One: { "parse.js": "// parses\n" } },
      ({ purpose, cwd, prompt }) => {
        if (purpose === "review-milestone" && !isFound) {
          isFound = true;
          return found("Correctness", "parse.js:1");
        }
        if (purpose !== "fix") return undefined;
        prompts.push(prompt);
        put(cwd, "parse.js", "// parses well\n");
        if (prompts.length > 1) return DONE;
        put(cwd, "sum.js", broken);
        put(cwd, SUMS, bentTests);
        return DONE;
      },
    ),
  );
  const { builder } = await session.state();
  const attempts = [...builder.fixes.values()].flat();
  expect(attempts.map(({ outcome }) => outcome)).toEqual(["failed", "fixed"]);
  expect(attempts[0]?.reason).toContain("adds numbers");
  expect(prompts[1]).toContain("adds numbers");
  expect(session.git("show", "wisp/demo:sum.js")).toBe(right.trim());
  expect(lastEndOf(builder)?.how).toBe("complete");
  const ran = ofKind(
    readRecords(createHost().files, roleLog(session.home, "builder"), BuilderRecord),
    "command.result",
  );
  expect(ran.map(({ outcome }) => outcome)).toContain("failed");
});

/** Each milestone alone does what the plan asks for. */
const TASKS = { One: `Adapt ${SUMS} to what sums may be`, Two: "Subtract the second number" };
const BUILDS = { One: { [SUMS]: weakTests }, Two: { "sum.js": broken } };

test("the base's own tests, which run at the end, find code that broke after a milestone weakened its test", async () => {
  using session = inProcessSession({ verify, files });
  const fixes: string[] = [];
  await session.runAll(
    planned(TASKS, BUILDS, ({ purpose, cwd, prompt }) => {
      if (purpose !== "fix") return undefined;
      fixes.push(prompt);
      // The first fix claims that there is nothing to do.
      if (fixes.length > 1) put(cwd, "sum.js", right);
      return DONE;
    }),
  );
  const { builder, tester } = await session.state();
  const [bug] = [...tester.items.values()];
  expect(bug).toMatchObject({
    level: "blocking",
    file: SUMS,
    computed: { of: "base-tests", names: ["adds numbers"] },
  });
  expect(fixes).toHaveLength(2);
  expect(fixes[0]).toContain("adds numbers");
  expect([...builder.fixes.values()].flat().map(({ outcome }) => outcome)).toEqual([
    "nochange",
    "fixed",
  ]);
  expect(session.git("show", "wisp/demo:sum.js")).toBe(right.trim());
  expect(lastEndOf(builder)?.how).toBe("complete");
  const passes = finals(session.home);
  expect(passes[0]?.basetests).toMatchObject([
    { file: SUMS, names: ["adds numbers"], what: "bug" },
  ]);
  expect(passes.at(-1)?.basetests).toBeUndefined();
});

test("such a session ends stuck without a fix, and completes once a person dismisses the bug", async () => {
  using session = inProcessSession({ verify, files, policy: { fixAttemptsMax: 1 } });
  const script = planned(TASKS, BUILDS);
  await session.runAll(script);
  const stuck = await session.state();
  expect(lastEndOf(stuck.builder)?.how).toBe("stuck");
  const [id = ""] = stuck.tester.open;
  const word = { kind: "dismiss", time: timeAt(0), id, why: "The request means it." } as const;
  appendFileSync(session.home.humanLog, encodeRecord(HumanRecord, word));
  await session.runAll(script);
  const { builder, tester } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  expect([...tester.items.keys()]).toEqual([id]);
  expect(finals(session.home).at(-1)?.basetests).toMatchObject([
    { file: SUMS, names: ["adds numbers"], what: "dismissed", why: "The request means it." },
  ]);
});

test("a failure that the request asks for is not a bug, and is listed with its passage", async () => {
  const request = "# Sums\n\nThe parser stays.\n\n- Change `sum.js`: adds becomes subtraction.\n";
  using session = inProcessSession({ verify, files, request });
  await session.runAll(planned(TASKS, BUILDS));
  const { builder, tester } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  expect(tester.items.size).toBe(0);
  expect(finals(session.home).at(-1)?.basetests).toMatchObject([
    {
      file: SUMS,
      names: ["adds numbers"],
      what: "asked",
      why: "Change `sum.js`: adds becomes subtraction.",
    },
  ]);
});

test("tests that no longer load are listed, and are not bugs", async () => {
  using session = inProcessSession({ verify, files });
  const moved = { "lib/sum.js": right, [SUMS]: tests.replace("../sum.js", "../lib/sum.js") };
  await session.runAll(
    planned({ One: "Move sum.js to lib/sum.js" }, { One: moved }, ({ purpose, cwd }) => {
      if (purpose === "build")
        put(cwd, "sum.js", "throw new Error('Cannot find module: it moved');\n");
      return undefined;
    }),
  );
  const { builder, tester } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  expect(tester.items.size).toBe(0);
  expect(finals(session.home).at(-1)?.basetests).toMatchObject([{ what: "unloaded" }]);
});

function finals(home: Home) {
  return ofKind(
    readRecords(createHost().files, roleLog(home, "tester"), TesterRecord),
    "final.end",
  );
}
