import { stringify } from "yaml";
import { CassetteFile } from "./cassette-schema.ts";
import type { z } from "zod";

/** A cassette as the text of its file; `decodeCassette` reads it back. */
export function encodeCassette(cassette: z.infer<typeof CassetteFile>): string {
  // A reference to another place of the text would make it hard to edit by hand.
  return stringify(CassetteFile.parse(cassette), { lineWidth: 0, aliasDuplicateObjects: false });
}
