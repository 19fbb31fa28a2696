import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
import { Oid } from "../../base/oid.ts";
import { WireBaseTests } from "./base-tests.ts";
import { TestersCommandResult } from "./command-result.ts";
import { commonRecords, endFields } from "./common-records.ts";
import { BugId } from "./item-id.ts";
import { FinalVerify } from "./final-verify.ts";
import { VerifyEnd, WireFindings } from "./judge-records.ts";
import { Reason, UnitKey, WireInt, WireList, recordOf } from "../codec/record-fields.ts";
import { ASKS_BY_ID, FINDS_BUGS } from "./record-rules.ts";

/** `logs/tester.log`. */
export const TesterRecord = z.discriminatedUnion("kind", [
  ...commonRecords,
  /**
   * Written before every attempt to publish tests: the commits that are about to appear on the
   * branch.
   */
  copiedRecordOf("push.intent", () => ({
    unit: UnitKey,
    shas: WireList,
  })),
  recordOf("push.done", () => ({ unit: UnitKey, sha: Oid })),
  copiedRecordOf(
    "test.end",
    () => ({
      ...endFields,
      m: NonEmpty,
      /** `skipped`: its range is empty. */
      outcome: z.enum(["tested", "skipped", "gaveup", "needs_input", "blocked"]),
      bugs: WireFindings,
      commits: WireList,
    }),
    ASKS_BY_ID,
    FINDS_BUGS,
  ),
  /** A final pass over the whole work. `at`: HEAD after the tester's own commits. */
  copiedRecordOf(
    "final.end",
    () => ({
      ...endFields,
      n: WireInt,
      at: Oid,
      /** Absent if verify did not run there, for example if the pass gave up. */
      verify: FinalVerify.optional(),
      /** Failures of the session base's tests at that commit; absent if there are none. */
      basetests: WireBaseTests.optional(),
      outcome: z.enum(["tested", "skipped", "gaveup", "needs_input", "blocked"]),
      bugs: WireFindings,
      commits: WireList,
    }),
    ASKS_BY_ID,
    FINDS_BUGS,
  ),
  VerifyEnd,
  TestersCommandResult,
  /**
   * The tester adopted a person's `dismiss` of a bug, record number `human` (from 0) of human.log.
   */
  copiedRecordOf("adopt.end", () => ({
    human: WireInt,
    dismiss: BugId,
    why: Reason.optional(),
  })),
]);
export type TesterRecord = z.infer<typeof TesterRecord>;
