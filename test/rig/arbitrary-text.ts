import fc from "fast-check";

/** Any string of JavaScript: control characters, separators and lone surrogates among them. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom("a", " ", '"', "\\", "=", "\n", "\r", "\t", "\u0000", "\u202e", "|", "%"),
  }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
    .map((units) => String.fromCharCode(...units)),
);

/** The same, but not empty. */
export const someText: fc.Arbitrary<string> = anyText.filter((text) => text !== "");

/** A full-length object id; those of one run may be of both lengths. */
export const anyOid: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[0-9a-f]{40}$/),
  fc.stringMatching(/^[0-9a-f]{64}$/),
);

/** Time of a record. */
export const anyTime: fc.Arbitrary<string> = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
