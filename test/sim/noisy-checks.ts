import type { Oid } from "../../src/base/oid.ts";
import { ROLES } from "../../src/base/role.ts";
import { decodeLogfmt } from "../../src/fs-protocol/codec/logfmt.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import type { Finding } from "../../src/fs-protocol/records/finding.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { brokenIn, missingIn } from "./noisy-project.ts";
import { HOME } from "./sim-home.ts";
import type { SimSession } from "./sim-session.ts";

/*
 * What a noisy session may not do. Whether a commit is right is read from its files, never from what wisp wrote of it.
 */

type Fields = Readonly<Record<string, string>>;

/** A session, and what is true of its commits. */
export class NoisyTruth {
  readonly #session: SimSession;
  readonly #isRed: boolean;

  constructor(session: SimSession, isRed: boolean) {
    this.#session = session;
    this.#isRed = isRed;
  }

  isRight(sha: Oid): boolean {
    return missingIn(this.#session.repository.at(sha).tree, this.#isRed).length === 0;
  }

  /** Whether the branch breaks what a test of the base holds. */
  get isHeadBroken(): boolean {
    const { repository } = this.#session;
    return brokenIn(repository.at(repository.head).tree, this.#isRed).length > 0;
  }

  /** Whether the branch is right as it is now. */
  get isHeadRight(): boolean {
    return this.isRight(this.#session.repository.head);
  }

  /** The records of all roles, as they are written. */
  get lines(): readonly Fields[] {
    const texts = ROLES.map((role) => this.#session.disk.textOf(roleLog(HOME, role)) ?? "");
    return texts
      .join("")
      .split("\n")
      .flatMap((line) => {
        const fields = decodeLogfmt(line);
        return fields.ok ? [fields.value] : [];
      });
  }

  /** Whom noise was held against: what was right, and is said to be broken. */
  blames(): readonly string[] {
    return [
      ...this.#findings().flatMap((finding) => this.#wronglyFound(finding)),
      ...this.lines.flatMap((fields) => this.#wronglyRefused(fields)),
      ...(this.#isStuckWrongly() ? [`a right branch is stuck: ${this.#reason()}`] : []),
    ];
  }

  /** An item that was found rightly may stay open though the branch was repaired elsewhere. */
  #isStuckWrongly(): boolean {
    if (this.#session.ending !== "stuck" || !this.isHeadRight) return false;
    const { open = "-" } = this.lines.findLast(({ kind }) => kind === "done") ?? {};
    return !this.#findings().some(
      ({ finding, at }) => open.includes(finding.id) && !this.isRight(finding.computed?.end ?? at),
    );
  }

  #reason(): string {
    return this.lines.findLast(({ kind }) => kind === "done")?.["reason"] ?? "";
  }

  /** Attempts and tests that were sent back though right, which is allowed while further attempts follow. */
  lost(): number {
    return this.lines.filter(({ kind, outcome, reason = "" }) => {
      const at = /^the verify command fails at ([0-9a-f]{40})/.exec(reason)?.[1];
      return (
        kind === "build.end" && outcome === "unverified" && at !== undefined && this.isRight(at)
      );
    }).length;
  }

  #findings(): readonly { readonly finding: Finding; readonly at: Oid }[] {
    const { disk } = this.#session;
    const linesOf = (role: "reviewer" | "tester") =>
      (disk.textOf(roleLog(HOME, role)) ?? "").split("\n");
    const begun = new Map<string, Oid>();
    const found: { finding: Finding; at: Oid }[] = [];
    for (const line of linesOf("reviewer")) {
      const record = decodeRecord(ReviewerRecord, line);
      if (!record.ok) continue;
      if (record.value.kind === "unit.begin") begun.set(record.value.unit, record.value.base ?? "");
      if (record.value.kind !== "review.end") continue;
      const at = begun.get(record.value.unit) ?? "";
      for (const finding of record.value.findings) found.push({ finding, at });
    }
    for (const line of linesOf("tester")) {
      const record = decodeRecord(TesterRecord, line);
      if (!record.ok) continue;
      if (record.value.kind === "unit.begin") begun.set(record.value.unit, record.value.base ?? "");
      if (record.value.kind !== "test.end" && record.value.kind !== "final.end") continue;
      const at = begun.get(record.value.unit) ?? "";
      for (const finding of record.value.bugs) found.push({ finding, at });
    }
    return found;
  }

  #wronglyFound({
    finding,
    at,
  }: {
    readonly finding: Finding;
    readonly at: Oid;
  }): readonly string[] {
    const { computed, command, level, brief } = finding;
    const isOwn =
      computed !== undefined || command !== undefined || /[Vv]erify stays green/.test(brief);
    if (level !== "blocking" || !isOwn || !this.isRight(computed?.end ?? at)) return [];
    return [`found at a right commit: ${computed?.of ?? command ?? ""}: ${brief}`];
  }

  #wronglyRefused(fields: Fields): readonly string[] {
    const {
      kind = "",
      verdict,
      outcome,
      reason = "",
      exhausted,
      sha = "",
      rescue,
      text = "",
    } = fields;
    if (
      kind === "verify.end" &&
      verdict === "reopened" &&
      exhausted !== undefined &&
      this.isRight(sha)
    ) {
      return [`a right fix is sent back for the last time: ${reason}`];
    }
    if (kind === "note" && text.includes("verify fails with these tests") && rescue !== undefined) {
      const tests = this.#session.repository.rescues.get(rescue);
      if (tests !== undefined && this.isRight(tests)) return [`right tests are refused: ${text}`];
    }
    if (
      kind === "fix.end" &&
      outcome === "failed" &&
      /verify is worse|tests as they were/.test(reason)
    ) {
      return this.#wronglyFailed(fields);
    }
    return [];
  }

  /** A fix that was refused, at its last attempt. */
  #wronglyFailed({ attempt = "0", reason = "" }: Fields): readonly string[] {
    const ref = /saved as (\S+)\)/.exec(reason)?.[1] ?? "";
    const made = this.#session.repository.rescues.get(ref);
    const isLast = Number(attempt) >= this.#session.session.policy.fixAttemptsMax;
    if (!isLast || made === undefined || !this.isRight(made)) return [];
    return [`a right fix is refused at its last attempt: ${reason}`];
  }
}

/** Whether a question says why it is asked: it names a test that failed by chance, or what the look showed instead. */
export function saysWhy(question: string, byChance: Iterable<string>): boolean {
  const names = [...byChance];
  const cause = /disk is full|was ended by SIG|did not end within|exited with 1|went away/;
  return names.some((name) => question.includes(name)) || cause.test(question);
}
