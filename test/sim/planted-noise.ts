import type { Edit } from "../rig/planting.ts";

/** A mistake planted into the shipped source, and what noisy sessions then do that they may not do. */
export interface PlantedNoise {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly breaks: "licence" | "blame";
  /** How often looks are red by chance in the sessions that show it. */
  readonly rate: number;
}

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });

export const PLANTED_NOISE: readonly PlantedNoise[] = [
  {
    name: "a red look at the base excuses the same later without being repeated",
    edits: [
      edit(
        "evidence/verify/verify-at.ts",
        "isDeciding: () => Promise.resolve(true),",
        "isDeciding: () => Promise.resolve(false),",
      ),
    ],
    breaks: "licence",
    rate: 0.2,
  },
  {
    name: "a suite that something outside ended counts as green",
    edits: [
      edit(
        "evidence/look/judge-run.ts",
        `isFromOutside(ended.signalName) ? unknown("signal") :`,
        `isFromOutside(ended.signalName) ? { kind: "green" } :`,
      ),
    ],
    breaks: "licence",
    rate: 0.2,
  },
  {
    name: "a test that is red in one look and green in the next counts as red",
    edits: [
      edit(
        "evidence/look/settle-looks.ts",
        `return { kind: "green", split: named, tally: last.tally };`,
        `if (reds.length > 0) return redOf(reds, named, new Set());
      return { kind: "green", split: named, tally: last.tally };`,
      ),
    ],
    breaks: "blame",
    rate: 0.05,
  },
  {
    name: "a bug's command that fails once opens the bug",
    edits: [
      edit(
        "agents/tester/repeat-bug-run.ts",
        "failed.length <= SUITE_REPEATS_MAX",
        "failed.length < 1",
      ),
    ],
    breaks: "blame",
    rate: 0.05,
  },
  {
    name: "old tests that fail once are held against the range",
    edits: [
      edit(
        "evidence/integrity/confirm-failures.ts",
        "newFailures.isBlamed && again <= SUITE_REPEATS_MAX",
        "newFailures.isBlamed && again < 1",
      ),
    ],
    breaks: "blame",
    rate: 0.05,
  },
];
