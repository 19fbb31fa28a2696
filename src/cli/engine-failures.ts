import type { FileFailure } from "../base/files.ts";
import type { SandboxKind } from "../base/sandbox.ts";
import type { CassetteFailure } from "../engines/replay/cassette.ts";
import type { EngineFailure } from "../settings/engine-choice.ts";

/** The cassette of the engine `replay` is not there, or none. */
export type CassetteTrouble =
  | { readonly kind: "cassette-missing"; readonly path: string }
  | (CassetteFailure & { readonly path: string });

/** Why a session's roles would have no engine. */
export type EnginesFailure = CassetteTrouble | EngineFailure | FileFailure;

/** The sandbox that the settings name does not work here. */
export interface NoSandbox {
  readonly kind: "no-sandbox";
  readonly wanted: Exclude<SandboxKind, "none">;
  /** One line. */
  readonly reason: string;
}
