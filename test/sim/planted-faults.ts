import type { Edit } from "../rig/planting.ts";

/** A fault planted into the shipped source, and the invariants that it may break. */
export interface PlantedFault {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Any of these invariants may be the first to break. */
  readonly breaks: readonly string[];
}

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });

const WITH_CHECKPOINT = `    checkpoint: sha,
    ...fields,
  });`;

/** The findings follow in a later append. */
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
    name: "a line that a killed writer left half written is not sealed before the next append",
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
    name: "the reviewer's checkpoint and its findings are in separate records",
    edits: [edit("agents/reviewer/review.ts", WITH_CHECKPOINT, APART_FROM_CHECKPOINT)],
    breaks: ["I5", "I10", "projections"],
  },
  {
    name: "a unit's published commits are not recognised after a crash",
    edits: [
      edit(
        "agents/builder/recover.ts",
        `if (last === undefined) return "nothing";`,
        `return "nothing";`,
      ),
    ],
    // No record names the commit: to the checks it is a person's, reviewed together with wisp's own, or part of the
    // next review, which then has too many.
    breaks: ["I4", "I19", "I20"],
  },
  {
    name: "the key of a build unit lacks the attempt",
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
    name: "an append is not flushed to the disk",
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
        "work/publish-unit.ts",
        "const published = await clone.publish(head);",
        "announce?.(head, shas);\n  const published = await clone.publish(head);",
      ),
    ],
    breaks: ["publish", "I4"],
  },
  {
    name: "file events are debounced without a reading in between",
    edits: [
      edit("streams/watch-hints.ts", "  connect,\n", "  connect,\n  debounceTime,\n"),
      edit(
        "streams/watch-hints.ts",
        "        hint$,\n",
        "        hint$.pipe(debounceTime(POLL_MS, scheduler)),\n",
      ),
    ],
    breaks: ["wake-up"],
  },
];
