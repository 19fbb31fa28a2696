import type { CassetteStep, CassetteTurn } from "../../src/engines/replay/cassette-schema.ts";
import { encodeCassette } from "../../src/engines/replay/encode-cassette.ts";
import {
  processSession,
  type ProcessSession,
  type ProcessSessionOptions,
} from "./process-session.ts";

/*
 * Sessions that the engine `replay` plays, and short forms of the turns of their cassettes. A turn depends
 * only on its prompt, so a condition on the prompt tests its content: otherwise no turn matches, and the
 * session ends in another way.
 */

export interface ReplaySessionOptions extends Omit<ProcessSessionOptions, "engine" | "scenario"> {
  /** In order: the first match is played. Judging turns that are not listed here pass. */
  readonly turns: readonly CassetteTurn[];
}

/** A repository as `processSession` makes it, in which every turn is played from a cassette. */
export function replaySession({ turns, ...options }: ReplaySessionOptions): ProcessSession {
  const files = { ...options.files, [CASSETTE]: cassetteOf(turns) };
  return processSession({ ...options, engine: "replay", files });
}

/** Where the engine looks for its cassette, below the repository. */
export const CASSETTE = ".wisp/cassette.yaml";

type Cassette = Parameters<typeof encodeCassette>[0];

/** The text of a cassette of these turns. */
export function cassetteOf(turns: readonly CassetteTurn[]): string {
  return encodeCassette({ version: 1, turns: [...turns], defaults: ALL_PASS });
}

/** The output of a judge that found nothing. */
export const PASSED = "### Verdict: PASSED\n\n### Findings\n\nNone\n";

const ALL_PASS: Cassette["defaults"] = {
  replan: [],
  "review-commit": [{ print: PASSED }],
  "review-milestone": [{ print: PASSED }],
  "verify-fix": [{ print: PASSED }],
  test: [{ print: PASSED }],
  "final-test": [{ print: PASSED }],
};

/** A turn: when it is played, and what it does. */
export function on(
  conditions: CassetteTurn["on"],
  ...steps: readonly CassetteStep[]
): CassetteTurn {
  return { on: conditions, do: [...steps] };
}

/** The plan of one milestone "One" of one task, and the turn that builds it and ticks it off. */
export function oneTask(task: string, ...work: readonly CassetteStep[]): readonly CassetteTurn[] {
  return [
    on({ purpose: "plan" }, { plan: `## Milestone: One\n\n- [ ] ${task}\n` }),
    on({ purpose: "build" }, ...work, { commit: task }, { tick: 1 }),
  ];
}

/** Writes a file. */
export function put(path: string, content: string): CassetteStep {
  return { write: { path, content } };
}

/** A finding in the first line of a file. */
export interface Remark {
  readonly file: string;
  readonly brief: string;
  /** By default "Correctness". */
  readonly category?: string;
  readonly level?: string;
  readonly command?: string;
}

/** The output of a judge that found something. */
export function needsWork(...remarks: readonly Remark[]): string {
  const findings = remarks.flatMap(({ file, brief, level, command, ...remark }, index) => [
    `${index + 1}. **X-${index + 1}**: ${remark.category ?? "Correctness"} - ${brief}`,
    `   - File: ${file}:1`,
    `   - Issue: ${brief}, as anybody can see.`,
    "   - Suggestion: Mend it.",
    ...(level === undefined ? [] : [`   - Level: ${level}`]),
    ...(command === undefined ? [] : [`   - Command: ${command}`]),
  ]);
  return ["### Verdict: NEEDS_WORK", "", "### Findings", "", ...findings, ""].join("\n");
}

/** Fails the turn unless a file of the clone contains a text. */
export function holds(path: string, text: string): CassetteStep {
  return { run: { argv: ["grep", "-qF", "-e", text, path] } };
}

/**
 * Fails the turn unless PROGRESS.txt says that the finding of the turn is in a file's first line. It waits for
 * that for a limited time: the reviewer writes it right after the record that the fix follows from.
 */
export function isInProgress(file: string): CassetteStep {
  const look = `grep -F -A 1 -e "**$WISP_FINDING**" "$WISP_HOME/PROGRESS.txt" | grep -qF -e "- File: $0:1"`;
  return { run: { argv: ["sh", "-c", untilSo(look), file] } };
}

/** Waits for a file below the session's home, for a limited time. */
export function waitsFor(path: string): CassetteStep {
  return { run: { argv: ["sh", "-c", untilSo(`test -e "$WISP_HOME/$0"`), path] } };
}

/** A shell command that repeats another until it succeeds, and fails in the end. */
function untilSo(command: string): string {
  return `for look in $(seq 2400); do { ${command}; } && exit; sleep 0.05; done; exit 1`;
}
