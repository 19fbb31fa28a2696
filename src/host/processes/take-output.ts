import { closeSync } from "node:fs";
import { assert } from "../../base/assert.ts";
import { ok, type Result } from "../../base/result.ts";
import { openOutput } from "../files/open-regular.ts";
import type { Errno } from "../system/errno.ts";

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

/**
 * From now on, what this process and those it starts print goes to the end of this file, which is created if it does
 * not exist. On failure the output goes where it went before.
 *
 * Must be called while nothing else in the process opens files: POSIX gives a new descriptor the lowest number that is
 * free, and Node has no call that names the number.
 */
export function takeOutput(path: string): Result<void, Errno> {
  const tried = openOutput(path);
  if (!tried.ok) return tried;
  for (const number of [STANDARD_OUTPUT, STANDARD_ERROR]) {
    closeSync(number);
    const opened = openOutput(path);
    assert(opened.ok && opened.value.fd === number, "the number just freed is the lowest one");
  }
  closeSync(tried.value.fd);
  return ok(undefined);
}
