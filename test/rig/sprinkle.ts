import { present } from "../../src/base/assert.ts";
import { need } from "../../src/base/fatal.ts";
import { decodeLogfmt, encodeLogfmt } from "../../src/fs-protocol/codec/logfmt.ts";
import { OPTIONAL } from "../../src/fs-protocol/codec/record-codec.ts";

/** An integer below its argument. */
export type Choose = (below: number) => number;

const WORDS = ["1", "yes", "a b", '{"kind":"done"}', "-", "[]", "…"] as const;
const VALUES = [1, { a: null }, "text", ["a"], { kind: "done" }, false] as const;
const TIME = "2026-11-20T12:00:00.000Z";

/**
 * A log as a later version might write it: unknown keys in its records and in the JSON of their fields, and
 * between them records of unknown kinds that are marked as optional.
 */
export function sprinkleLog(text: string, choose: Choose): string {
  const lines = text.split("\n").slice(0, -1);
  const all = lines.flatMap((line) => [...strangers(choose), sprinkleRecord(line, choose)]);
  return [...all, ...strangers(choose)].map((line) => `${line}\n`).join("");
}

function anyOf<T>(values: readonly T[], choose: Choose): T {
  return present(values[choose(values.length)], "there is one to choose");
}

function strangers(choose: Choose): readonly string[] {
  return Array.from({ length: Math.max(0, choose(5) - 2) }, (_, at) => {
    const kind = `later.${anyOf(["done", "end", "unit.begin"], choose)}${"x".repeat(at)}`;
    const fields = { unit: "build:A:1", outcome: anyOf(WORDS, choose) };
    return encodeLogfmt({ time: TIME, kind, ...fields, [OPTIONAL.key]: OPTIONAL.value });
  });
}

function sprinkleRecord(line: string, choose: Choose): string {
  const { time = "", kind = "", ...fields } = need(decodeLogfmt(line));
  const pairs = new Map(
    Object.entries(fields).map(([key, value]) => [key, withMore(value, choose)]),
  );
  const more = new Map(
    Array.from({ length: choose(3) }, (_, at) => [`later${String(at)}`, anyOf(WORDS, choose)]),
  );
  const mixed = choose(2) === 0 ? [...more, ...pairs] : [...pairs, ...more];
  return encodeLogfmt({ time, kind, ...Object.fromEntries(mixed) });
}

/** Adds keys to each object in a field. */
function withMore(value: string, choose: Choose): string {
  if (!/^[[{]/.test(value)) return value;
  return JSON.stringify(sprinkleJson(JSON.parse(value), choose));
}

/** A document with unknown keys in each of its objects, at any depth. */
export function sprinkleJson(value: unknown, choose: Choose): unknown {
  if (Array.isArray(value)) return value.map((one) => sprinkleJson(one, choose));
  if (typeof value !== "object" || value === null) return value;
  const known = Object.entries(value).map(([key, one]) => [key, sprinkleJson(one, choose)]);
  const more = ["later", "optional", "Später"]
    .slice(choose(4))
    .map((key) => [key, anyOf(VALUES, choose)]);
  const all: unknown[][] = choose(2) === 0 ? [...more, ...known] : [...known, ...more];
  return Object.fromEntries(all);
}

/** Lines of a projection with more fields after the known ones; `fieldsMin`: how many are always present. */
export function sprinkleLines(text: string, fieldsMin: number, choose: Choose): string {
  return text.replace(/^.+$/gmu, (line) => {
    if (choose(2) === 0) return line;
    const missing = Math.max(0, fieldsMin - line.split("|").length);
    return `${line}${"|".repeat(missing)}|later${String(choose(9))}|`;
  });
}
