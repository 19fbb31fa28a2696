import { z } from "zod";

const UNITS_BYTES = { k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 } as const;
const EXPECTED = "a size such as 512m or 16g";

/** A size in settings, such as `16g`, parsed to bytes. */
export const ByteSize = z
  .string({ error: EXPECTED })
  .regex(/^[1-9]\d{0,5}[kmgt]$/u, { error: EXPECTED })
  .transform(sizeBytes)
  .describe("A number with its unit: k, m, g or t, each 1024 of the one before.");

function sizeBytes(text: string): number {
  const unit = text.slice(-1);
  const isUnit = (name: string): name is keyof typeof UNITS_BYTES => name in UNITS_BYTES;
  return isUnit(unit) ? Number(text.slice(0, -1)) * UNITS_BYTES[unit] : Number.NaN;
}
