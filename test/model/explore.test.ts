import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { decodeRecord, encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { ExplorerBundle } from "./explorer-bundle.ts";
import { exploreScenario } from "./explore.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios.ts";
import { STATES } from "./state-counts.ts";

/**
 * Every interleaving of the four roles in small worlds, with the shipped decisions and folds: all states of the
 * smaller worlds, and the first states of the others. `npm run test:long` explores all of them.
 */

/** Of larger worlds only the first states are explored. */
const WHOLE_STATES_MAX = 4_000;
const PART_STATES_MAX = 2_500;

let bundle: ExplorerBundle;
let statesTotal = 0;

beforeAll(async () => {
  bundle = await ExplorerBundle.build();
});

afterAll(async () => {
  console.log(`${statesTotal} states explored`);
  await bundle[Symbol.asyncDispose]();
});

const isScenario = (name: string): name is ScenarioName => name in SCENARIOS;

for (const scenario of Object.keys(SCENARIOS).filter(isScenario)) {
  const isWhole = STATES[scenario] <= WHOLE_STATES_MAX;
  const extent = isWhole ? "all" : "the first";
  test.concurrent(
    `no invariant is broken in ${extent} states of '${scenario}'`,
    async ({ expect: expectHere }) => {
      const statesMax = isWhole ? undefined : PART_STATES_MAX;
      const { broken, states, isPartial } = await bundle.explore({ scenario, statesMax });
      statesTotal += states;
      expectHere({ broken, isPartial }).toEqual({ broken: undefined, isPartial: !isWhole });
      if (isWhole) expectHere(states).toBe(STATES[scenario]);
    },
  );
}

/** Small worlds in which every kind of record is written. */
const WRITING: readonly ScenarioName[] = [
  "crashes",
  "update",
  "stuck",
  "resumeFix",
  "gaveupBug",
  "gaveupPlan2",
  "asksFail",
  "reopen",
  "pause",
  "dismiss",
  "nochange",
  "stopFresh",
  "editTicks",
  "hint",
  "redBase",
];

test("the explored roles write only records that fit the shipped schemas", () => {
  const kinds = new Set<string>();
  const failures: unknown[] = [];
  const readsBack = <S extends z.ZodType<{ readonly kind: string }>>(schema: S) => {
    const seen = new Set<string>();
    return (record: z.output<S>) => {
      const text = JSON.stringify(record);
      if (seen.has(text)) return;
      seen.add(text);
      kinds.add(record.kind);
      const read = decodeRecord(schema, encodeRecord(schema, record).trimEnd());
      if (!read.ok || JSON.stringify(sorted(read.value)) !== JSON.stringify(sorted(record))) {
        failures.push({ record, read });
      }
    };
  };
  const onRecord = {
    builder: readsBack(BuilderRecord),
    planner: readsBack(PlannerRecord),
    reviewer: readsBack(ReviewerRecord),
    tester: readsBack(TesterRecord),
    human: readsBack(HumanRecord),
    supervisor: readsBack(SupervisorRecord),
  };
  for (const scenario of WRITING) exploreScenario(scenario, { onRecord, statesMax: 3_000 });
  expect(failures).toEqual([]);
  // All kinds of records that a decision may depend on.
  expect([...kinds].sort().join(" ")).toBe(
    "add adopt.end answer approve base.end build.end dismiss done drain.close edit final.end final.open fix.end " +
      "halt hint.end lease pause plan.adopt plan.end plan.refuse reopen resume review.end role.failed stop " +
      "test.end update verify.end verify.result",
  );
});

function sorted(record: object): unknown {
  return Object.entries(record).sort(([a], [b]) => a.localeCompare(b));
}
