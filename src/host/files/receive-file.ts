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

/** The system's limit for a name is 255 bytes, and a temporary file's name is longer by 19 than that of its file. */
const NAME_BYTES_MAX = 200;

/** Receives a file of any size beside `path` in pieces; it replaces what is at `path` once it is whole. */
export const receiveFile: ReceiveFile = (path) => {
  const own = basename(path);
  const kept = Buffer.byteLength(own) > NAME_BYTES_MAX ? "long" : own;
  const name = `.${kept}.${randomBytes(6).toString("hex")}.tmp`;
  const part = join(dirname(path), name);
  const opened = attempt(() => openSync(part, NEW, 0o600));
  if (!opened.ok) return fail(FileFailure({ operation: "create", path, errno: opened.failure }));
  const descriptor = opened.value;
  let errno: string | undefined;
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    closeSync(descriptor);
  };
  const drop = () => {
    attempt(close);
    attempt(() => unlinkSync(part));
  };
  const place = () => {
    const placed = attempt(() => {
      fsyncSync(descriptor);
      close();
      renameSync(part, path);
    });
    return placed.ok ? syncNameOf(path) : placed;
  };
  return ok({
    write: (bytes) => {
      if (errno !== undefined) return;
      const written = attempt(() => writeAll(descriptor, bytes));
      if (!written.ok) errno ??= written.failure;
    },
    finish: () => {
      // What was not written whole must not take the place of what is there.
      const placed = errno === undefined ? place() : fail(errno);
      errno = placed.ok ? undefined : placed.failure;
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
