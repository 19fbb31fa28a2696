import { join } from "node:path";
import { abbreviate } from "../../base/oid.ts";
import type { VerifyResult } from "../../session/state/builder-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { isAskedFor } from "../integrity/asked-for.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import { BY_COMPUTING, computedOf, testFinding, type FoundIn } from "../integrity/test-findings.ts";
import { hidesTest } from "../integrity/tampering.ts";
import type { RoleContext } from "../work/role-context.ts";
import { cleanedTail } from "../work/run-in-order.ts";
import { harnessFiles } from "./old-tests.ts";
import { fallOf, testCount } from "./test-counts.ts";

/** The known results of verify at both ends of a range. */
export interface VerifiedEnds {
  readonly start: VerifyResult | undefined;
  readonly end: VerifyResult | undefined;
}

export interface FewerTests {
  /** For the prompt; "" if there is nothing to report. */
  readonly evidence: string;
  readonly findings: readonly Finding[];
}

/** The number of tests that ran at both ends of a range, and how far it fell. */
export interface Counted {
  readonly before: number;
  readonly after: number;
  readonly fall: ReturnType<typeof fallOf>;
}

/**
 * Counts the tests that ran at both ends. Undefined if either output does not contain the number, or if verify
 * was red, since it may have ended early.
 */
export function countedTests(
  { home, ports }: Pick<RoleContext<"reviewer">, "home" | "ports">,
  ends: VerifiedEnds,
): Counted | undefined {
  const countOf = (verified: VerifyResult | undefined) =>
    verified?.outcome !== "passed" || verified.output === undefined
      ? undefined
      : testCount(
          cleanedTail(ports.files, join(home.turns, `${verified.output}.out`), READ_CHARS_MAX),
        );
  const [before, after] = [countOf(ends.start), countOf(ends.end)];
  if (before === undefined || after === undefined) return undefined;
  return { before, after, fall: fallOf(before, after) };
}

const NOTHING: FewerTests = { evidence: "", findings: [] };
/** How much of the output is searched for numbers of tests. */
const READ_CHARS_MAX = 4 * 1024 * 1024;

/**
 * Checks whether verify ran fewer tests at the end of a range than at its start although no test file lost one,
 * which means that something keeps tests from being run. Reports nothing if either output does not contain the
 * number, or if verify was red, since it may have ended early.
 */
export function fewerTests(
  context: Pick<RoleContext<"reviewer">, "home" | "ports">,
  changed: ChangedTests,
  ends: VerifiedEnds,
  { tasks, ...found }: FoundIn & { readonly tasks: readonly string[] },
): FewerTests {
  // Hidden tests are reported separately.
  if (changed.tampering.some(hidesTest)) return NOTHING;
  const counted = countedTests(context, ends);
  if (counted === undefined || counted.fall === "none") return NOTHING;
  const { before, after, fall } = counted;
  const { start, end } = found;
  const counts = `verify ran ${String(before)} tests at ${abbreviate(start)} and ${String(after)} at ${abbreviate(end)}, although no test file says that a test was taken away`;
  const evidence = `wisp counted: ${counts}.`;
  const files = [...changed.old, ...changed.commands.keys(), ...harnessFiles(changed)];
  const isAsked = files.some((file) => isAskedFor(tasks, { file, titles: [] }));
  if (fall === "some" || isAsked) return { evidence, findings: [] };
  const finding = testFinding({
    computed: computedOf("fewer", found),
    file: files.length === 1 ? files[0] : undefined,
    line: undefined,
    anchor: "fewer tests run",
    brief: "Most tests are not run any more",
    issue: `By their own summaries ${counts}.`,
    suggestion: `Have verify run all tests again. ${BY_COMPUTING}`,
  });
  return { evidence, findings: [finding] };
}
