import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLogfmt, encodeLogfmt } from "../../src/fs-protocol/codec/logfmt.ts";
import { anyText } from "../rig/arbitrary-text.ts";

const TIME = "2026-11-20T12:00:00.000Z";

const anyKey = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((key) => {
  return key !== "time" && key !== "kind";
});
const anyFields = fc.dictionary(anyKey, anyText, { noNullPrototype: true });

function decoded(line: string): unknown {
  const fields = decodeLogfmt(line);
  return fields.ok ? fields.value : fields.failure.problem;
}

test("a line has its time and kind unquoted, then pairs that are quoted only if necessary", () => {
  const fields = { time: TIME, kind: "turn.end", unit: "build:API:1", reason: 'it said "no"' };
  const line = `${TIME} turn.end unit=build:API:1 reason="it said \\"no\\""`;
  expect(encodeLogfmt(fields)).toBe(line);
  expect(decoded(line)).toEqual(fields);
});

test("any text is read back unchanged", () => {
  fc.assert(
    fc.property(anyFields, (rest) => {
      const fields = { time: TIME, kind: "note", ...rest };
      expect(decoded(encodeLogfmt(fields))).toEqual(fields);
    }),
    { numRuns: 2_000 },
  );
});

test("a record is one line without control characters", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = encodeLogfmt({ time: TIME, kind: "note", text });
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }),
    { numRuns: 2_000 },
  );
});

test("a line can be written as UTF-8 and read back", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = encodeLogfmt({ time: TIME, kind: "note", text });
      expect(Buffer.from(line).toString("utf8")).toBe(line);
    }),
  );
});

test("decoding never throws, whatever the line", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom("", `${TIME} `, `${TIME} note `, `${TIME} note a="`),
      (rest, start) => {
        expect(() => decodeLogfmt(start + rest)).not.toThrow();
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a cut line never decodes to the same record, but one cut between two pairs is another record", () => {
  const line = `${TIME} note text="a b" more=c`;
  for (let length = 0; length < line.length; length++) {
    expect(decoded(line.slice(0, length))).not.toEqual(decoded(line));
  }
  // This is why a record counts only with its newline, and a fragment is sealed before the next record.
  expect(decoded(`${TIME} note text="a b"`)).toEqual({ time: TIME, kind: "note", text: "a b" });
});

test.each([
  ["", "it does not begin with a time"],
  ["note text=a", "it does not begin with a time"],
  ["2026-11-20 note text=a", "it does not begin with a time"],
  ["2026-11-20T12:00:00Z note text=a", "it does not begin with a time"],
  [TIME, "its second word is not the kind of a record"],
  [`${TIME} `, "its second word is not the kind of a record"],
  [`${TIME}  note`, "its second word is not the kind of a record"],
  [`${TIME} Note`, "its second word is not the kind of a record"],
  [`${TIME} turn..end`, "its second word is not the kind of a record"],
  [`${TIME} note text`, "a key=value pair is broken at column 30"],
  [`${TIME} note text=`, "a key=value pair is broken at column 30"],
  [`${TIME} note =a`, "a key=value pair is broken at column 30"],
  [`${TIME} note Text=a`, "a key=value pair is broken at column 30"],
  [`${TIME} note __proto__=a`, "a key=value pair is broken at column 30"],
  [`${TIME} note text=a `, "a key=value pair is broken at column 37"],
  [`${TIME} note  text=a`, "a key=value pair is broken at column 30"],
  [`${TIME} note text=a"b`, "a key=value pair is broken at column 30"],
  [`${TIME} note text=a=b`, "a key=value pair is broken at column 30"],
  [`${TIME} note text="a`, "a key=value pair is broken at column 30"],
  [`${TIME} note text="a\\"`, "a key=value pair is broken at column 30"],
  [`${TIME} note text="a"b`, "a key=value pair is broken at column 39"],
  [`${TIME} note text="a\\x"`, "a key=value pair is broken at column 30"],
  [`${TIME} note text="a\tb"`, "a key=value pair is broken at column 30"],
  [`${TIME} note text=a text=b`, "the key text comes twice"],
  [`${TIME} note time=${TIME}`, "the key time comes twice"],
  [`${TIME} note kind=note`, "the key kind comes twice"],
])("refuses %j: %s", (line, problem) => {
  expect(decoded(line)).toBe(problem);
});
