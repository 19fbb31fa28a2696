import { readSync } from "node:fs";

const STANDARD_INPUT = 0;

/**
 * Waits until the process that started this one lets it begin; false if that process has ended, or does not need this
 * one. Blocks everything else: call it when all that can be loaded is loaded, and nothing is held yet.
 */
export function passGate(): boolean {
  return readSync(STANDARD_INPUT, Buffer.alloc(1)) > 0;
}
