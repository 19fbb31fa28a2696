import type { Oid } from "../../src/base/oid.ts";
import { ROLES, type Role } from "../../src/base/role.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import { decodeLogfmt } from "../../src/fs-protocol/codec/logfmt.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import type { Disk } from "./disk.ts";
import { HOME } from "./sim-home.ts";
import type { SimRepository } from "./sim-repository.ts";

/** How a session ended; undefined while it runs. */
export type Ending = "complete" | "stuck" | undefined;

/** A question to a person, and its words. */
export interface AskedQuestion {
  readonly id: string;
  readonly ask: string;
}

/** Invariants that are checked whenever a record is appended, and queries of the current logs. */
export class AppendChecks {
  readonly #disk: Disk;
  readonly #repository: SimRepository;
  readonly #broken: (invariant: string, what: string) => void;

  constructor(
    { disk, repository }: { readonly disk: Disk; readonly repository: SimRepository },
    broken: (invariant: string, what: string) => void,
  ) {
    this.#disk = disk;
    this.#repository = repository;
    this.#broken = broken;
  }

  /** A written end counts even if its writer was killed before the call returned. */
  get ending(): Ending {
    const line = lastEnding(this.#linesOf("builder", " done how="));
    if (line === undefined) return undefined;
    return line.includes(" how=complete ") ? "complete" : "stuck";
  }

  /** The questions that were asked of a person; one that the settings answered is none. */
  get questions(): readonly AskedQuestion[] {
    const settled = this.#linesOf("builder", " how=").join("\n");
    return ROLES.flatMap((role) => this.#linesOf(role, " question=")).flatMap((line) => {
      const fields = decodeLogfmt(line);
      const { question, ask = "" } = fields.ok ? fields.value : {};
      if (question === undefined || settled.includes(` by=${question} how=`)) return [];
      return [{ id: question, ask }];
    });
  }

  /** Ids of findings and bugs that were reported. */
  get items(): readonly string[] {
    const judges = [...this.#linesOf("reviewer"), ...this.#linesOf("tester")];
    const reports = judges.filter((line) => / (?:review|test|final|adopt)\.end /.test(line));
    return reports.flatMap((line) => line.match(/\b(?:COR|BUG|HUM)-[0-9a-f]{6,8}\b/g) ?? []);
  }

  /** Whether a record names a commit that changed this file. */
  isOnRecord(path: string): boolean {
    return this.#linesOf("builder").some((line) => {
      if (!line.includes(" build.end ")) return false;
      const record = decodeRecord(BuilderRecord, line);
      return record.ok && claimed(record.value).some((sha) => this.#changed(sha).has(path));
    });
  }

  appended(path: string, text: string): void {
    const role = ROLES.find((name) => path === roleLog(HOME, name));
    if (role === undefined) return;
    for (const line of text.split("\n").slice(0, -1)) this.#look(role, line);
  }

  #look(role: Role, line: string): void {
    const kind = line.split(" ")[1] ?? "";
    if (WORK.test(kind) && this.#isOverForGood()) {
      this.#broken("I10", `written after done, with nothing said since: ${line}`);
    }
    if (kind === "build.end" || kind === "fix.end") this.#published(BuilderRecord, line);
    if (role === "tester" && kind.endsWith(".end")) this.#published(TesterRecord, line);
  }

  /** Whether there is a `done` without any later human record. */
  #isOverForGood(): boolean {
    const ending = lastEnding(this.#linesOf("builder", " done how="));
    if (ending === undefined) return false;
    const read = Number(/ human=(\d+)/.exec(ending)?.[1] ?? 0);
    return (this.#disk.textOf(HOME.humanLog) ?? "").split("\n").length - 1 <= read;
  }

  /** The lines of a log; none if it does not contain `words` at all, which spares a long log from being split. */
  #linesOf(role: Role, words = ""): readonly string[] {
    const text = this.#disk.textOf(roleLog(HOME, role)) ?? "";
    return text.includes(words) ? text.split("\n").slice(0, -1) : [];
  }

  /** I14, and that no commit is recorded as published before it is. */
  #published(schema: typeof BuilderRecord | typeof TesterRecord, line: string): void {
    const record = decodeRecord(schema, line);
    if (!record.ok) return;
    for (const sha of claimed(record.value)) {
      if (!this.#repository.isAncestor(sha, this.#repository.head)) {
        this.#broken("publish", `on record before it is on the branch: ${line}`);
        return;
      }
    }
  }

  #changed(sha: Oid): ReadonlyMap<string, unknown> {
    const parent = this.#repository.commits.get(sha)?.parent;
    return parent === undefined ? new Map() : this.#repository.changed(parent, sha);
  }
}

const WORK = /^(?:unit\.begin|(?:plan|build|fix|review|verify|test|final)\.end)$/;

/** The newest `done`, unless the session was reopened after it. */
function lastEnding(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => / (?:done|reopen) /.test(line.slice(0, 40)));
  return last?.includes(" done how=") === true ? last : undefined;
}

function claimed(record: BuilderRecord | TesterRecord): readonly Oid[] {
  switch (record.kind) {
    case "build.end":
      return [...record.commits, ...record.milestones.map(({ end }) => end)];
    case "fix.end":
      return record.outcome === "fixed" && record.sha !== undefined ? [record.sha] : [];
    case "test.end":
    case "final.end":
      return record.commits;
    default:
      return [];
  }
}
