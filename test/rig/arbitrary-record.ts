import fc from "fast-check";
import { z } from "zod";
import { assert, present } from "../../src/base/assert.ts";
import { Oid } from "../../src/base/oid.ts";
import { RoleField } from "../../src/fs-protocol/codec/record-fields.ts";
import {
  Reason,
  RecordTime,
  UnitKey,
  WireInt,
  WireList,
  WireMilestones,
  WireSplits,
  WireTicks,
} from "../../src/fs-protocol/codec/record-fields.ts";
import { holdsAllOf } from "../../src/fs-protocol/codec/holds-all-of.ts";
import { anyOid, anyText, anyTime, someText } from "./arbitrary-text.ts";
import { WireTally } from "../../src/fs-protocol/records/tally.ts";

/** A union of record kinds, like each log's schema. */
export type RecordUnion = z.ZodDiscriminatedUnion<readonly z.ZodObject[]>;

/** Kind of record by its schema. */
export function kindOf(option: z.ZodObject): string {
  const literal: unknown = option.shape["kind"];
  assert(literal instanceof z.ZodLiteral, "each record has a literal kind");
  return String(literal.value);
}

/**
 * Any record that its schema accepts, of any kind. Each kind is as likely as the others, however few of its values
 * keep the rules beyond the types of its fields: records of a kind are filtered before a kind is chosen.
 */
export function anyRecord<S extends RecordUnion>(schema: S): fc.Arbitrary<z.output<S>> {
  const kinds = schema.options.map((option) =>
    anyObject(option).filter((value): value is z.output<S> => isOutput(schema, value)),
  );
  return fc.oneof(...kinds);
}

/** Whether a schema accepts a value unchanged, including the rules beyond the types of its fields. */
function isOutput(schema: z.ZodType, value: unknown): boolean {
  const encoded = z.safeEncode(schema, value);
  if (!encoded.success) return false;
  return holdsAllOf(z.decode(schema, encoded.data), value);
}

function anyObject(option: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(option.shape);
  const optional = fields.filter(([, field]) => field instanceof z.ZodOptional).map(([key]) => key);
  return fc.record(Object.fromEntries(fields.map(([key, field]) => [key, anyValue(field)])), {
    requiredKeys: fields.map(([key]) => key).filter((key) => !optional.includes(key)),
    noNullPrototype: true,
  });
}

const anyNames = fc.array(someText, { maxLength: 3 });
const anyCount = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.maxSafeNat().map((n) => n % 1e15),
);
const anyArgvs = fc.array(fc.array(anyText, { minLength: 1, maxLength: 3 }), { maxLength: 2 });
const anyOrdinals = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 3 });
/** Ids of bugs begin with a prefix of their own. */
const anyFindingId = fc.stringMatching(/^[AC-Z][A-Z0-9]{0,3}-[0-9a-f]{6,8}$/);
const anyBugId = fc.stringMatching(/^BUG-[0-9a-f]{6,8}$/);

function anyItem(id: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const fields = {
    id,
    level: fc.constantFrom("blocking", "warning", "suggestion"),
    reviewer: someText,
    category: someText,
    brief: someText,
    file: anyText,
    line: fc.integer({ min: 1, max: 1e6 }),
    issue: anyText,
    suggestion: anyText,
    command: anyText,
    output: anyText,
  };
  return fc.record(fields, {
    requiredKeys: ["id", "level", "reviewer", "category", "brief", "issue", "suggestion"],
    noNullPrototype: true,
  });
}

const own = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true });

/** The values of fields whose schemas have a name. */
const NAMED = new Map<unknown, fc.Arbitrary<unknown>>([
  [RecordTime, anyTime],
  [UnitKey, fc.stringMatching(/^\S{1,20}$/)],
  [Reason, anyText],
  [Oid, anyOid],
  [RoleField, fc.constantFrom(...RoleField.options)],
  [WireInt, anyCount],
  [WireList, fc.array(fc.stringMatching(/^[A-Za-z0-9|:.-]{1,8}$/).filter((word) => word !== "-"))],
  [WireMilestones, fc.array(own({ name: someText, tasks: anyNames }), { maxLength: 3 })],
  [WireTicks, fc.array(own({ m: someText, tasks: anyOrdinals }), { maxLength: 3 })],
  [
    WireTally,
    own({
      rules: fc.integer({ min: 1, max: 3 }),
      times: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
      passed: fc.nat(1e6),
      failed: fc.nat(1e6),
    }),
  ],
  [WireSplits, fc.array(own({ m: someText, commits: fc.nat(9) }), { maxLength: 3 })],
]);

const anyTokens = own({ input: fc.nat(1e6), output: fc.nat(1e6), cached: fc.nat(1e6) });
const anyBasis = fc.constantFrom("run", "session", "unknown");

/** The values of fields with other schemas: the first match is used. */
const CANDIDATES: readonly fc.Arbitrary<unknown>[] = [
  fc.oneof(
    fc.array(anyItem(anyFindingId), { minLength: 1, maxLength: 3 }),
    fc.array(anyItem(anyBugId), { minLength: 1, maxLength: 3 }),
  ),
  anyItem(anyFindingId),
  fc.array(own({ name: someText, start: anyOid, end: anyOid }), { minLength: 1, maxLength: 2 }),
  fc.array(
    own({
      name: someText,
      level: fc.constantFrom("blocking", "warning", "suggestion"),
      verdict: fc.constantFrom("passed", "needs_work", "skipped", "gaveup"),
      ids: fc.array(anyFindingId, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  fc.array(own({ id: anyFindingId, brief: someText }), { minLength: 1, maxLength: 3 }),
  fc.array(
    own({
      what: fc.constantFrom("bug", "asked", "dismissed", "unloaded", "unknown"),
      file: someText,
      names: fc.array(someText, { maxLength: 2 }),
      more: fc.integer({ min: 1, max: 100 }),
      why: someText,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  fc.array(fc.constantFrom(...RoleField.options), { minLength: 1, maxLength: 4 }),
  // A turn's cost, its tokens, what its engine reported, and a person's limits.
  fc.integer({ min: 0, max: 1e6 }).map((n) => n / 1e4),
  own({ input: anyCount, output: anyCount, cached: anyCount }),
  own({
    tokensBasis: fc.constantFrom("run", "session", "unknown"),
    costBasis: fc.constantFrom("run", "session", "unknown"),
  }),
  own({ turns: fc.integer({ min: 1, max: 100 }), usd: fc.integer({ min: 1, max: 100 }) }),
  fc.array(anyText, { minLength: 1, maxLength: 3 }),
  // Commands as argument vectors.
  fc.array(fc.array(anyText, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  fc.stringMatching(/^[0-9a-f]{64}$/),
  anyBugId,
  anyTokens,
  own({ tokens: anyTokens, costUsd: fc.nat(100), tokensBasis: anyBasis, costBasis: anyBasis }),
  own({ usd: fc.integer({ min: 1, max: 100 }), turns: fc.integer({ min: 1, max: 100 }) }),
  fc.nat(1e6).map((cents) => cents / 100),
  own({
    setup: anyArgvs,
    build: anyArgvs,
    verify: anyArgvs,
    verifyTimeoutMs: fc.integer({ min: 1, max: 1e9 }),
    env: fc.array(someText, { maxLength: 2 }),
  }),
  someText,
];

function anyValue(field: unknown): fc.Arbitrary<unknown> {
  if (field instanceof z.ZodOptional) return anyValue(field.unwrap());
  if (field instanceof z.ZodLiteral) return fc.constant(field.value);
  const named = NAMED.get(field);
  if (named !== undefined) return named;
  if (field instanceof z.ZodEnum) return fc.constantFrom(...field.options);
  assert(field instanceof z.ZodType, "a shape holds schemas");
  const fits = CANDIDATES.find((candidate) =>
    fc.sample(candidate, { numRuns: 20, seed: 1 }).every((value) => isOutput(field, value)),
  );
  const filled = present(fits, "there is a candidate for each field");
  return isOutput(field, []) ? fc.oneof(fc.constant([]), filled) : filled;
}
