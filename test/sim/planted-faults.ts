import type { Edit } from "../rig/planting.ts";

/** A mistake put into the shipped source, and how a simulation of it must be seen to fail. */
export interface PlantedFault {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Any of these claims may be the first that breaks. */
  readonly breaks: readonly string[];
}

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });

const WITH_CHECKPOINT = `    checkpoint: sha,
    ...fields,
  });`;

/** What was found follows a moment later. */
const APART_FROM_CHECKPOINT = `    checkpoint: sha,
    ...fields,
    findings: [],
  });
  const { findings } = fields;
  if (findings.length > 0) {
    await context.ports.clock.sleep(300);
    journal.append({
      kind: "review.end",
      time: journal.time(),
      unit: unit + ":found",
      m: "found in " + sha,
      outcome: "filtered",
      findings,
    });
  }`;

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "a log is appended to without sealing what a killed writer left",
    edits: [
      edit(
        "host/files/append-sealed.ts",
        "const buffer = torn.value ? Buffer.concat([SEAL_BYTES, bytes]) : bytes;",
        "const buffer = bytes;",
      ),
    ],
    breaks: ["durable"],
  },
  {
    name: "the reviewer's checkpoint is kept apart from what it found",
    edits: [edit("agents/reviewer/review.ts", WITH_CHECKPOINT, APART_FROM_CHECKPOINT)],
    breaks: ["I5", "I10", "projections"],
  },
  {
    name: "what a unit publishes does not carry its key: after a crash it is not known again",
    edits: [
      edit(
        "agents/builder/recover.ts",
        `if (last === undefined) return "nothing";`,
        `return "nothing";`,
      ),
    ],
    // No record knows the commit: the checks take it for a person's, reviewed beside wisp's own, or count it
    // to the next one's review, which is then of too many.
    breaks: ["I4", "I19", "I20"],
  },
  {
    name: "the key of a build unit leaves out which attempt it is",
    edits: [
      edit(
        "fs-protocol/records/unit-key.ts",
        "return [encodeKeyPart(unit.milestone), unit.attempt];",
        'return [encodeKeyPart(unit.milestone), ""];',
      ),
    ],
    breaks: ["I4"],
  },
  {
    name: "an append is not made durable",
    edits: [
      edit(
        "host/files/append-sealed.ts",
        "return attempt(() => fsyncSync(fd));",
        "return { ok: true, value: undefined };",
      ),
    ],
    breaks: ["durable"],
  },
  {
    name: "a fix is on record before it is published",
    edits: [
      edit(
        "agents/work/publish-unit.ts",
        "const published = await clone.publish(head);",
        "announce?.(head, shas);\n  const published = await clone.publish(head);",
      ),
    ],
    breaks: ["publish", "I4"],
  },
  {
    name: "hints are debounced, without a look in between",
    edits: [
      edit("streams/watch-hints.ts", "  connect,\n", "  connect,\n  debounceTime,\n"),
      edit(
        "streams/watch-hints.ts",
        ".pipe(againAfterSilence(scheduler))",
        ".pipe(debounceTime(TRAILING_READ_MS, scheduler))",
      ),
    ],
    breaks: ["wake-up"],
  },
];
