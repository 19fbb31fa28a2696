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

function hexOf(bytes: number): fc.Arbitrary<string> {
  const some = fc.uint8Array({ minLength: bytes, maxLength: bytes });
  return some.map((values) => Buffer.from(values).toString("hex"));
}

/** A full-length object id of either length. */
export const sha1Oid: fc.Arbitrary<string> = hexOf(20);
export const sha256Oid: fc.Arbitrary<string> = hexOf(32);
export const anyOid: fc.Arbitrary<string> = fc.oneof(sha1Oid, sha256Oid);

/** Time of a record. */
export const anyTime: fc.Arbitrary<string> = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
