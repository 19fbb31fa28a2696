import { randomBytes } from "node:crypto";
import { closeSync, constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FileFailure } from "../../base/ports/files.ts";
import type { ReceiveFile } from "../../base/ports/programs.ts";
import { fail, ok } from "../../base/result.ts";
import { attempt } from "../system/errno.ts";
import { fsyncSync, openSync, renameSync, unlinkSync, writeSync } from "../system/effects.ts";
import { syncNameOf } from "./open-regular.ts";

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Receives a file of any size beside `path` in pieces; it replaces what is at `path` once it is whole. */
export const receiveFile: ReceiveFile = (path) => {
  const name = `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`;
  const part = join(dirname(path), name);
  const opened = attempt(() => openSync(part, NEW, 0o600));
  if (!opened.ok) return fail(FileFailure({ operation: "create", path, errno: opened.failure }));
  const descriptor = opened.value;
  let errno: string | undefined;
  const drop = () => {
    attempt(() => closeSync(descriptor));
    attempt(() => unlinkSync(part));
  };
  return ok({
    write: (bytes) => {
      const written = attempt(() => writeAll(descriptor, bytes));
      if (!written.ok) errno ??= written.failure;
    },
    finish: () => {
      const placed = attempt(() => {
        fsyncSync(descriptor);
        closeSync(descriptor);
        renameSync(part, path);
      });
      const named = placed.ok ? syncNameOf(path) : placed;
      errno ??= named.ok ? undefined : named.failure;
      if (errno === undefined) return ok(undefined);
      drop();
      return fail(FileFailure({ operation: "replace", path, errno }));
    },
    drop,
  });
};

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}
