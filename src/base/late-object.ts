import { z } from "zod";

/**
 * The schema of an object whose fields are made when it is first used. Making a schema costs about ten microseconds, and
 * a process defines those of everything that it might ever read before it does anything.
 */
export function lateObject<Fields extends z.ZodRawShape>(fields: () => Fields): z.ZodObject<Fields>;
// Zod's constructor does not say which fields a schema has.
export function lateObject(fields: () => z.ZodRawShape): z.ZodObject {
  let made: z.ZodRawShape | undefined;
  return new z.ZodObject({
    type: "object",
    // An accessor is kept by whatever is derived from the schema, such as one with a further rule.
    get shape() {
      made ??= fields();
      // Zod takes fields that only an accessor returns for those of a schema that may contain itself, and then keeps
      // track of every object that it parses.
      Object.defineProperty(this, "shape", { value: made, enumerable: true, writable: true });
      return made;
    },
  });
}
