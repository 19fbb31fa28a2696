import { FileFailure } from "../../base/ports/files.ts";
import { constants } from "node:fs";
import { fail, type Result } from "../../base/result.ts";
import { appendSealed } from "./append-sealed.ts";
import { withRegular } from "./open-regular.ts";

const NOTHING = Buffer.alloc(0);

/** Seals an unfinished last line of a file, as the next append would; otherwise changes nothing. */
export function sealTail(path: string): Result<void, FileFailure> {
  const flags = constants.O_RDWR | constants.O_APPEND;
  const sealed = withRegular(path, flags, ({ fd }) => appendSealed(fd, NOTHING));
  if (sealed.ok) return sealed;
  return fail(FileFailure({ operation: "append", path, errno: sealed.failure }));
}
