import { expect, test } from "vitest";
import { z } from "zod";
import { lateObject } from "../../src/base/late-object.ts";
import { LOG_SCHEMAS } from "../../src/fs-protocol/home/logs.ts";

/** A schema, and how often its fields were made. */
function counted() {
  const times = { made: 0 };
  const schema = lateObject(() => {
    times.made += 1;
    return { name: z.string(), size: z.int().optional() };
  });
  return { times, schema };
}

test("the fields are made once, at the first use of the schema", () => {
  const { times, schema } = counted();
  const whole = z.object({ list: z.array(schema), one: schema.optional() });
  expect(times.made).toBe(0);
  expect(whole.parse({ list: [{ name: "a", size: 1, other: true }] })).toEqual({
    list: [{ name: "a", size: 1 }],
  });
  expect(whole.safeParse({ list: [], one: { name: 1 } }).success).toBe(false);
  expect(Object.keys(schema.shape)).toEqual(["name", "size"]);
  expect(times.made).toBe(1);
});

test("what is derived from such a schema does not make its fields either", () => {
  const { times, schema } = counted();
  const ruled = schema.refine(({ name }) => name !== "bad", { error: "no" });
  const strict = ruled.strict();
  expect(times.made).toBe(0);
  expect(ruled.safeParse({ name: "bad" }).success).toBe(false);
  expect(ruled.parse({ name: "good", other: 1 })).toEqual({ name: "good" });
  expect(strict.safeParse({ name: "good", other: 1 }).success).toBe(false);
  expect(times.made).toBe(1);
});

test("once its fields are made, zod knows that such a schema does not contain itself", () => {
  const { schema } = counted();
  const ruled = schema.refine(({ name }) => name !== "bad", { error: "no" });
  // Of a schema that may contain itself, zod compiles no code.
  expect(() => z.compile(ruled, { strict: true })).toThrow("a reference cycle");
  expect(ruled.parse({ name: "good" })).toEqual({ name: "good" });
  expect(() => z.compile(ruled, { strict: true })).not.toThrow();
});

test.each(Object.entries(LOG_SCHEMAS))(
  "a log finds the schema of a line of %s by the kind in its fields",
  (_, schema) => {
    for (const option of schema.options) {
      expect([...(option._zod.propValues["kind"] ?? [])]).toEqual([option.shape.kind.value]);
    }
  },
);
