import { z } from "zod";
import { Oid } from "../../base/oid.ts";
import { decodeKeyPart, encodeKeyPart } from "../tasks/milestone-name.ts";
import { decodeBatch, encodeBatch } from "./item-id.ts";

/** Created on first use: few processes decode keys, and schemas are most of the time that a short command takes. */
let schema: ReturnType<typeof unitSchema> | undefined;

function unitSchema() {
  const count = z.int().nonnegative();
  // How often the session had been reopened, for units that are repeated because of that.
  const reopens = count.optional();
  const item = z.string().regex(/^[^\s:,+]+$/);
  return z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("plan"),
      boundary: count,
      request: count,
      refusals: count,
      reopens,
    }),
    /** Verify at the session's base, and a person's decision about it. */
    z.object({ kind: z.literal("base"), at: Oid }),
    /** A check of the user's remote, counted from 1. */
    z.object({ kind: z.literal("remote"), n: count }),
    z.object({ kind: z.literal("build"), milestone: z.string(), attempt: count }),
    /** For a milestone after this many attempts in all. */
    z.object({ kind: z.literal("hint"), milestone: z.string(), attempts: count }),
    /** For one finding or bug, or for several findings that share the turn. */
    z.object({ kind: z.literal("fix"), ids: z.array(item).min(1).readonly(), attempt: count }),
    /** One commit, for which `first` equals `last`, or consecutive ones. */
    z.object({ kind: z.literal("commit"), first: Oid, last: Oid, reopens }),
    z.object({ kind: z.literal("review"), milestone: z.string(), end: Oid, reopens }),
    z.object({ kind: z.literal("verify"), id: item, sha: Oid, attempt: count }),
    z.object({ kind: z.literal("test"), milestone: z.string(), end: Oid, reopens }),
    z.object({ kind: z.literal("final"), n: count }),
  ]);
}

/** A piece of a role's work, named by the facts that identify it when it comes up again. */
export type Unit = Readonly<z.infer<ReturnType<typeof unitSchema>>>;

/**
 * Encodes a unit's key, which makes it impossible to do a piece of work twice (docs/PROTOCOL.md,
 * section 6). Names are percent-encoded, so that a key contains no spaces, and colons only as
 * separators.
 */
export function encodeUnit(unit: Unit): string {
  return [unit.kind, ...factsOf(unit)].join(":");
}

/** Decodes a key. Returns undefined if no unit has it. */
export function decodeUnit(key: string): Unit | undefined {
  schema ??= unitSchema();
  const unit = schema.safeParse(factsIn(key.split(":")));
  return unit.success && encodeUnit(unit.data) === key ? unit.data : undefined;
}

function factsOf(unit: Unit): readonly (string | number)[] {
  switch (unit.kind) {
    case "plan": {
      const refused = unit.refusals > 0 ? [`again${String(unit.refusals)}`] : [];
      return [`b${String(unit.boundary)}`, `r${String(unit.request)}`, ...refused, ...again(unit)];
    }
    case "base":
      return [unit.at];
    case "remote":
    case "final":
      return [unit.n];
    case "build":
      return [encodeKeyPart(unit.milestone), unit.attempt];
    case "hint":
      return [encodeKeyPart(unit.milestone), unit.attempts];
    case "fix":
      return [encodeBatch(unit.ids), unit.attempt];
    case "commit": {
      const { first, last } = unit;
      return [first === last ? first : `${first}..${last}`, ...again(unit)];
    }
    case "review":
    case "test":
      return [encodeKeyPart(unit.milestone), unit.end, ...again(unit)];
    case "verify":
      return [unit.id, unit.sha, unit.attempt];
  }
}

function again({ reopens }: { readonly reopens?: number | undefined }): readonly string[] {
  return reopens === undefined ? [] : [`re${String(reopens)}`];
}

/**
 * Splits a key into candidate facts; the schema and encoding them again decide whether they are
 * valid.
 */
function factsIn([kind, one = "", two = "", ...more]: readonly string[]): unknown {
  const named = () => ({ kind, milestone: decodeKeyPart(one) });
  switch (kind) {
    case "plan": {
      const [boundary, request] = [counted("b", [one]), counted("r", [two])];
      const refusals = counted("again", more) ?? 0;
      return { kind, boundary, request, refusals, reopens: counted("re", more) };
    }
    case "base":
      return { kind, at: one };
    case "remote":
    case "final":
      return { kind, n: Number(one) };
    case "build":
      return { ...named(), attempt: Number(two) };
    case "hint":
      return { ...named(), attempts: Number(two) };
    case "fix":
      return { kind, ids: decodeBatch(one), attempt: Number(two) };
    case "commit": {
      const [first, last = first] = one.split("..");
      return { kind, first, last, reopens: counted("re", [two]) };
    }
    case "review":
    case "test":
      return { ...named(), end: two, reopens: counted("re", more) };
    case "verify":
      return { kind, id: one, sha: two, attempt: Number(more[0]) };
    default:
      return undefined;
  }
}

/** The number after a mark, in the part that has the mark. */
function counted(mark: string, parts: readonly string[]): number | undefined {
  const digits = parts.map((part) => (part.startsWith(mark) ? part.slice(mark.length) : ""));
  const found = digits.find((text) => /^\d+$/.test(text));
  return found === undefined ? undefined : Number(found);
}
