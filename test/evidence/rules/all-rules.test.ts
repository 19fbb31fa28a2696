import { expect, test } from "vitest";
import { END_RULES, RANGE_RULES, ruleOf } from "../../../src/evidence/rules/all-rules.ts";
import { CANARY_ID } from "../../../src/evidence/rules/canary.ts";
import { Computed } from "../../../src/fs-protocol/records/finding.ts";
import { sha } from "../../rig/records.ts";

const KINDS = Computed.shape.of.options;

test("each kind that records name has its own rule, in exactly one of the two lists", () => {
  const listed = [...RANGE_RULES, ...END_RULES];
  expect(listed.map(({ kind }) => kind).sort()).toEqual([...KINDS, "canary"].sort());
  for (const of of KINDS) {
    const computed = { of, start: sha(0), end: sha(1), m: "One" };
    expect(ruleOf({ id: "TES-1a2b3c", computed })?.kind).toBe(of);
  }
});

test("what an engine or a person found follows from no rule; the canary's finding is known by its id", () => {
  expect(ruleOf({ id: "COR-1a2b3c", computed: undefined })).toBeUndefined();
  expect(ruleOf({ id: CANARY_ID, computed: undefined })?.kind).toBe("canary");
});
