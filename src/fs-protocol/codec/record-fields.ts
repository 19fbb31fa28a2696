import { ROLES } from "../../base/role.ts";
import { z } from "zod";
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

/** A value that travels as JSON inside one field. */
export function wireJson<T extends z.ZodType>(schema: T) {
  return WireUnknown.pipe(schema);
}

/** Words joined by commas; the empty list is `-`, so that the field is there and can be grepped. */
export const WireList = z.codec(z.string().min(1), z.array(z.string().regex(/^(?!-$)[^,\s]+$/)), {
  decode: (text) => (text === "-" ? [] : text.split(",")),
  encode: (values) => (values.length === 0 ? "-" : values.join(",")),
});

/** Time of a record: ISO 8601, UTC, milliseconds. */
export const RecordTime = z.iso.datetime({ precision: 3 });

/** A record of one kind: what every record says, and then the fields of its own. */
export function recordOf<Kind extends string, Fields extends z.ZodRawShape>(
  kind: Kind,
  fields: Fields,
) {
  return z.object({ kind: z.literal(kind), time: RecordTime, ...fields });
}

/** A key of a unit: no white space, bounded. */
export const UnitKey = z.string().regex(/^\S{1,2000}$/);

/** A reason or an explanation in one field, cleaned and bounded before it gets here. */
export const Reason = z.string().max(REASON_CHARS_MAX);

/** SHA-256 of a staged plan: the file `plans/<sha256>.md`. */
export const PlanSha = z.string().regex(/^[0-9a-f]{64}$/);

/** A milestone as a plan states it: its name and the texts of its tasks, in order. */
export const PlanMilestone = z.object({
  name: z.string().min(1),
  tasks: z.array(z.string()),
});
export type PlanMilestone = z.infer<typeof PlanMilestone>;

/** Boxes of one milestone: 1-based ordinals of tasks. */
export const MilestoneTicks = z.object({
  m: z.string().min(1),
  tasks: z.array(z.int().positive()),
});
export type MilestoneTicks = z.infer<typeof MilestoneTicks>;

/** The last commit of a milestone as an ordinal into the unit's commits: 0 is the unit's base. */
export const Split = z.object({ m: z.string().min(1), commits: z.int().nonnegative() });
export type Split = z.infer<typeof Split>;

/** Codecs of the lists above. */
export const WireMilestones = wireJson(z.array(PlanMilestone));
export const WireTicks = wireJson(z.array(MilestoneTicks));
export const WireSplits = wireJson(z.array(Split));

/** A role, by its name. */
export const RoleField = z.enum(ROLES);
