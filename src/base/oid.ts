import { z } from "zod";

/** A full-length git object id, sha1 (40) or sha256 (64), lower case. */
export const Oid = z
  .string()
  .regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, "a full-length git object id");
export type Oid = z.infer<typeof Oid>;

/** The first twelve characters, for display. */
export function abbreviate(oid: Oid): string {
  return oid.slice(0, 12);
}
