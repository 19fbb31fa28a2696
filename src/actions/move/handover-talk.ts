import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { Oid } from "../../base/oid.ts";
import { NonEmpty } from "../../base/plain-values.ts";
import { FarPlace } from "../../fs-protocol/home/place-json.ts";
import { SentDigest } from "./parcel.ts";

/** Absent values arrive as `null`. */
const Maybe = NonEmpty.nullable().transform((text) => text ?? undefined);
const at = NonEmpty;
const MovedPart = z.object({ to: NonEmpty, id: NonEmpty });

/** The steps of a move that a process does at its own side, and nothing else. */
export const SideStep = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("stop-roles"), at }),
  z.object({ kind: z.literal("append-moved"), at, record: MovedPart, after: Maybe }),
  z.object({ kind: z.literal("check"), at, id: NonEmpty, forcedAfter: Maybe }),
  z.object({ kind: z.literal("mirror-back"), at, after: Maybe, isStale: z.boolean() }),
  z.object({
    ...{ kind: z.literal("own"), at, id: NonEmpty, after: Maybe },
    how: z.enum(["moved", "kept", "forced"]),
  }),
]);
export type SideStep = z.infer<typeof SideStep>;

/** What the machine on which a move was begun asks of a side elsewhere. */
export const HandoverAsk = lateObject(() => ({
  version: z.literal(1),
  /** How the side is named in records. */
  name: NonEmpty,
  what: z.discriminatedUnion("kind", [
    /** What is there, for who has these files. */
    z.object({ kind: z.literal("look"), files: z.array(SentDigest).readonly() }),
    z.object({ kind: z.literal("step"), step: SideStep, mirrors: FarPlace }),
    /** Puts all that there is into one file. */
    z.object({ kind: z.literal("pack"), id: NonEmpty }),
    /** Puts the files of such a file, at an absolute path, beside the home. */
    z.object({ kind: z.literal("unpack"), id: NonEmpty, path: NonEmpty }),
    /** Removes the clones of a session that is over here, as far as they hold nothing that cannot be saved. */
    z.object({
      kind: z.literal("clear"),
      /** The commits of saved work that the other side has; null: it takes what is saved now. */
      known: z
        .array(Oid)
        .readonly()
        .nullable()
        .transform((known) => known ?? undefined),
    }),
  ]),
}));
export type HandoverAsk = z.infer<typeof HandoverAsk>;

/** What it answers. */
export const HandoverAnswer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("looked"),
    files: z.array(SentDigest).readonly(),
    found: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("empty"), arrived: z.array(NonEmpty).readonly() }),
      z.object({
        kind: z.literal("home"),
        arrived: z.array(NonEmpty).readonly(),
        moves: z.array(MovedPart).readonly(),
        place: z
          .object({ moved: NonEmpty.optional(), mirrors: FarPlace.optional() })
          .nullable()
          .transform((place) => place ?? undefined),
        isAtWork: z.boolean(),
      }),
    ]),
  }),
  /** Whether the step was due, and was done. */
  z.object({ kind: z.literal("stepped"), isDone: z.boolean() }),
  /** Where the file is; absent: the home may not be sent now. */
  z.object({ kind: z.literal("packed"), path: Maybe }),
  /** The clones that stay; absent: the session is not over here, or others are at work on it. */
  z.object({
    kind: z.literal("cleared"),
    held: z
      .array(z.object({ directory: NonEmpty, what: z.array(NonEmpty).readonly() }))
      .readonly()
      .nullable()
      .transform((held) => held ?? undefined),
  }),
]);
export type HandoverAnswer = z.infer<typeof HandoverAnswer>;

/** One line of JSON, in which values that may be absent are `null`. */
export function talkLine(said: HandoverAsk | HandoverAnswer): string {
  return `${JSON.stringify(said, asNull)}\n`;
}

const MAYBE: readonly string[] = ["after", "forcedAfter", "place", "path", "held", "known"];

function asNull(key: string, value: unknown): unknown {
  return value === undefined && MAYBE.includes(key) ? null : value;
}
