import { stringify } from "yaml";
import { CassetteFile } from "./cassette-schema.ts";
import type { z } from "zod";

/** The text of a cassette's file; `decodeCassette` reads it back. */
export function encodeCassette(cassette: z.infer<typeof CassetteFile>): string {
  // YAML references to other places would make the file hard to edit by hand.
  return stringify(CassetteFile.parse(cassette), { lineWidth: 0, aliasDuplicateObjects: false });
}
