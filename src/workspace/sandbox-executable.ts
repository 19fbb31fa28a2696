import type { SandboxKind } from "../base/ports/sandbox.ts";
import { findExecutable } from "../host/processes/find-executable.ts";
import type { World } from "./world.ts";

/** Absolute path of the program that runs a sandbox. */
export function sandboxExecutable(
  place: Pick<World, "env" | "cwd">,
  kind: Exclude<SandboxKind, "none">,
): string | undefined {
  return findExecutable(kind === "bubblewrap" ? "bwrap" : "srt", place);
}
