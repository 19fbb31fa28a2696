import { ROLES } from "../../base/role.ts";
import { z } from "zod";
import { NonEmpty, PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";

/** A whole number ≥ 0 on the wire. */
export const WireInt = z.codec(z.string().regex(/^\d{1,15}$/), z.int().nonnegative(), {
  decode: (text) => Number(text),
  encode: (value) => String(value),
});

const WireUnknown = z.codec(z.string(), z.unknown(), {
  decode: (text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: "invalid_format", format: "json", input: text });
      return z.NEVER;
    }
  },
  encode: (value) => JSON.stringify(value),
});

/** A value that is stored as JSON in one field. */
export function wireJson<T extends z.ZodType>(schema: T) {
  return WireUnknown.pipe(schema);
}

/**
 * Words joined by commas. An empty list is written as `-`, so that the field is present and can be
 * grepped.
 */
export const WireList = z.codec(NonEmpty, z.array(z.string().regex(/^(?!-$)[^,\s]+$/)), {
  decode: (text) => (text === "-" ? [] : text.split(",")),
  encode: (values) => (values.length === 0 ? "-" : values.join(",")),
});

/** A record's time: ISO 8601, UTC, with milliseconds. */
export const RecordTime = z.iso.datetime({ precision: 3 });

/**
 * A rule that a record must satisfy beyond the types of its fields. A record that breaks one is a
 * bad line, whoever wrote it, so that no fold ever meets an inconsistent record.
 */
export interface Rule<R> {
  readonly holds: (record: R) => boolean;
  /** Reported after the field's name. */
  readonly error: string;
  readonly path: string[];
}

/** The schema of a record of one kind. */
type RecordSchema<Kind extends string, Fields> = z.ZodObject<
  { readonly kind: z.ZodLiteral<Kind>; readonly time: typeof RecordTime } & Fields
>;

/**
 * A record of one kind: the fields that every record has, and then its own, which are made when the
 * first such record is read or written.
 */
export function recordOf<Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  fields: () => Fields,
  ...rules: readonly Rule<z.output<RecordSchema<Kind, NoInfer<Fields>>>>[]
): RecordSchema<Kind, Fields> {
  const whole = () => ({ kind: z.literal(kind), time: RecordTime, ...fields() });
  const schema = rules.reduce(
    (made, { holds, error, path }) => made.refine(holds, { error, path }),
    lateObject(whole),
  );
  // A log finds the schema of a line by this. It would be computed from the fields, those of every kind of record.
  Object.defineProperty(schema._zod, "propValues", { value: { kind: new Set([kind]) } });
  return schema;
}

/** The kind of the records that a schema is of. */
export function recordKind(schema: z.ZodType): string {
  const [kind] = schema._zod.propValues?.["kind"] ?? [];
  return String(kind);
}

/** A unit's key: bounded, and without white space. */
export const UnitKey = z.string().regex(/^\S{1,2000}$/);

/** A reason or explanation, already cleaned and bounded. */
export const Reason = z.string().max(REASON_CHARS_MAX);

/** SHA-256 of a staged plan, which is the file `plans/<sha256>.md`. */
export const PlanSha = z.string().regex(/^[0-9a-f]{64}$/);

/** A milestone as its plan states it: its name and the texts of its tasks, in order. */
export const PlanMilestone = lateObject(() => ({
  name: NonEmpty,
  tasks: z.array(z.string()),
}));
export type PlanMilestone = z.infer<typeof PlanMilestone>;

/** Ticked boxes of one milestone: ordinals of its tasks, from 1. */
export const MilestoneTicks = lateObject(() => ({
  m: NonEmpty,
  tasks: z.array(PositiveInt),
}));
export type MilestoneTicks = z.infer<typeof MilestoneTicks>;

/** A milestone's last commit, as an ordinal into the unit's commits: 0 is the unit's base. */
export const Split = lateObject(() => ({
  m: NonEmpty,
  commits: z.int().nonnegative(),
}));
export type Split = z.infer<typeof Split>;

/** Codecs for lists of the above. */
export const WireMilestones = wireJson(z.array(PlanMilestone));
export const WireTicks = wireJson(z.array(MilestoneTicks));
export const WireSplits = wireJson(z.array(Split));

/** A role's name. */
export const RoleField = z.enum(ROLES);
