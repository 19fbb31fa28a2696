import type { Oid } from "../../base/oid.ts";
import type { FixVerdict } from "../../fs-protocol/findings/findings-block.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { Computed, Finding } from "../../fs-protocol/records/finding.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Attempted } from "../../work/unit.ts";
import type { FailedBaseTests } from "../base-tests/base-tests.ts";
import type { CanaryResult } from "../canary/check-with-canary.ts";
import type { Counted } from "../harness/test-counts.ts";
import type { ChangedTests } from "../integrity/changed-tests.ts";
import type { OldTestsTry } from "../integrity/try-old-tests.ts";
import type { SplitTest } from "../look/try-splits.ts";
import type { HeadVerified } from "../verify/verify-head.ts";

/** The two roles that compute findings; each looks again at those of its own. */
type Judge = "reviewer" | "tester";

/**
 * One rule by which wisp itself finds something, without an engine: what it looks for, how it looks again, and what a fix
 * of its findings may do to tests. Everything that handles computed findings is derived from these values (`all-rules.ts`).
 */
interface RuleOf<R extends Judge, Seen> {
  /** As records name it (`computed.of`). The finding about a canary is known by its id instead. */
  readonly kind: Computed["of"] | "canary";
  /** The role that finds it, and that looks again. */
  readonly role: R;
  /** Whether a fix may change tests as the finding's text asks. Most rules ask for the tests as they were. */
  readonly mayChangeTests: boolean;
  /** Whether a fix restores tests, so that their changed versions may fail on it. */
  readonly restoresTests: boolean;
  /** What follows from what was seen. Findings have the same ids whenever the same was seen. */
  find(seen: Seen): readonly Finding[];
  /** Looks again at a fix, or at a claim that there is nothing to fix. No engine is asked. */
  findAgain(
    context: RoleContext<R>,
    state: SessionState,
    again: FindAgain,
  ): Promise<Attempted<FixVerdict>>;
}

/** A finding to look at again, the open unit, and the commit to look at. */
export interface FindAgain {
  readonly item: Finding;
  readonly unit: string;
  readonly at: Oid;
}

/** A range of commits, and the milestone whose tasks may ask for changes in it. */
export type FoundIn = Pick<Computed, "start" | "end" | "m">;

/** What wisp saw of the tests of a range. */
export interface SeenRange {
  readonly range: FoundIn;
  /** The texts that may ask for changes to tests. */
  readonly tasks: readonly string[];
  readonly changed: ChangedTests;
  /** How many tests verify ran at both ends; undefined where that is not known. Reads the outputs once. */
  readonly counted: () => Counted | undefined;
  /** The runs of the tests from the range's start on its end. */
  readonly tries: readonly OldTestsTry[];
  /** The tests that were red and green at its end. */
  readonly splits: readonly SplitTest[];
}

/** A rule about the tests of a range. */
export interface RangeRule extends RuleOf<"reviewer", SeenRange> {
  /** What was seen, for the prompt of the reviewer of tests; "" if there is nothing to tell. */
  describe(seen: SeenRange): string;
}

/** What wisp saw at the end of a session, at one commit; what is absent was not looked at, or shows nothing. */
export interface SeenEnd {
  readonly session: Pick<SessionJson, "verify" | "base">;
  readonly at: Oid;
  readonly verified?: Pick<HeadVerified, "verify" | "red">;
  readonly baseTests?: FailedBaseTests | undefined;
  readonly canary?: CanaryResult | undefined;
}

/** A rule about the end of a session. */
export type EndRule = RuleOf<"tester", SeenEnd>;

export type EvidenceRule = RangeRule | EndRule;
