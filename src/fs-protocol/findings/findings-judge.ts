import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Level } from "../records/finding.ts";
import type { Section, Verdict } from "./findings-sections.ts";
import { rawFindingOf, type RawFinding } from "./raw-finding.ts";

/** What one reviewer reported in a turn. */
export interface FindingsBlock {
  /** As in its `[Review] … - name (level)` line; `undefined` without such a line. */
  readonly reviewer: string | undefined;
  readonly level: Level | undefined;
  readonly verdict: Verdict;
  readonly findings: readonly RawFinding[];
  /** How many findings exceeded the limit of a turn. */
  readonly omittedCount: number;
}

/**
 * The output contains no credible verdict. `reason` is a sentence for the engine, which is asked
 * again.
 */
export interface Unparseable {
  readonly kind: "unparseable";
  readonly reason: string;
}

/**
 * Reduces a section to one verdict and its findings, of which at most `room` are kept. Paths below
 * the absolute folder `root` count as paths in the repository.
 */
export function judgeSection(
  section: Section,
  room: number,
  root: string | undefined,
): Result<FindingsBlock, Unparseable> {
  const agreed = verdictOf(section);
  if (!agreed.ok) return agreed;
  const findings: RawFinding[] = [];
  for (const draft of section.drafts) {
    const finding = rawFindingOf(draft, root);
    if (finding !== undefined) findings.push(finding);
    else if (draft.isInSection) return unparseable(malformed(draft.title, agreed.value));
  }
  if (section.hasStrayField)
    return unparseable("A field stands before the first numbered finding.");
  if (agreed.value === "NEEDS_WORK" && findings.length === 0) {
    return unparseable("The verdict is NEEDS_WORK, but there is no numbered finding.");
  }
  const limited = findings.slice(0, room);
  return ok({
    reviewer: section.header?.reviewer,
    level: section.header?.level,
    verdict: findings.length > 0 ? "NEEDS_WORK" : agreed.value,
    findings: limited,
    omittedCount: findings.length - limited.length,
  });
}

function malformed(title: string, verdict: Verdict): string {
  const brief = cleanText(title, { charsMax: 80, lines: "one" });
  const what =
    verdict === "PASSED" ? "The verdict is PASSED, but its findings list has" : "There is";
  return `${what} an entry without File, Issue and Suggestion lines: "${brief}".`;
}

/** The verdict that all verdict lines of a section agree on. */
function verdictOf(section: Section): Result<Verdict, Unparseable> {
  const whose = section.header === undefined ? "" : ` of ${section.header.reviewer}`;
  const [first, ...others] = section.verdicts;
  if (first === undefined) return unparseable(`The block${whose} has no verdict line.`);
  const unclear = section.verdicts.find(({ verdict }) => verdict === undefined);
  if (unclear !== undefined) {
    const text = cleanText(unclear.text, { charsMax: 80, lines: "one" });
    return unparseable(`The verdict${whose} must be PASSED or NEEDS_WORK, not "${text}".`);
  }
  if (first.verdict === undefined || others.some(({ verdict }) => verdict !== first.verdict)) {
    return unparseable(`The block${whose} has both verdicts, PASSED and NEEDS_WORK.`);
  }
  const isMarked = section.verdicts.some(({ isPlain }) => !isPlain);
  if (first.verdict === "PASSED" && !isMarked) {
    return unparseable(`The verdict${whose} must be a heading: \`### Verdict: PASSED\`.`);
  }
  return ok(first.verdict);
}

export function unparseable(reason: string): { readonly ok: false; readonly failure: Unparseable } {
  return fail({ kind: "unparseable", reason });
}
