import type { Command, Enclosure } from "./processes.ts";
import type { Result } from "../result.ts";

/** Kinds of sandboxes, as settings and `session.json` name them. */
export const SANDBOX_KINDS = ["none", "bubblewrap", "srt"] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

/** Caches of packages that a command has to itself; each has its name in a folder. */
export interface OwnCaches {
  /** The folder of those that it fills. */
  readonly folder: string;
  /** The folder of those that it only reads, and their names. */
  readonly filled: { readonly folder: string; readonly names: ReadonlySet<string> };
}

/** A command that is to be confined, and what it needs of the world outside. */
export interface Confinement {
  readonly command: Command;
  /**
   * Words that the person wrote, of the frozen settings: what they name by an absolute path is there, and what
   * belongs to a program that they name. Absent: a model may have written the command, and none of its words
   * shows anything that is not there anyway.
   */
  readonly named?: readonly string[] | undefined;
  /** Files and directories of wisp's own that it reads; those that exist. */
  readonly readable?: readonly string[] | undefined;
  /** Files and directories that it may write beside its working directory; those that exist. */
  readonly writable?: readonly string[] | undefined;
  /** The engine whose own folders it has; absent: those of none. */
  readonly engine?: string | undefined;
  /** Of what it may write, paths that it only reads. */
  readonly readOnly?: readonly string[] | undefined;
  /** Of those again, folders that it may write. */
  readonly writableWithin?: readonly string[] | undefined;
  /** Caches of packages in the place of those that the sandboxes of the repository share. */
  readonly caches?: OwnCaches | undefined;
  /** Whether it has the network whatever the settings say: a setup that cannot do without. */
  readonly needsNetwork?: boolean | undefined;
}

/** The sandbox cannot be made: nothing was run. `reason` is one line for people. */
export interface SandboxFailure {
  readonly kind: "sandbox";
  readonly reason: string;
}

/** How commands are confined; one for each role's process. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /** What stands around the command; undefined: nothing confines it. Runs nothing itself. */
  confine(confinement: Confinement): Result<Enclosure | undefined, SandboxFailure>;
}

/** A sandbox for the turns of one engine: given a turn's command, and what it has beside its clone. */
export type Confine = (
  command: Command,
  beside: Pick<Confinement, "readable" | "writable">,
) => Result<Enclosure | undefined, SandboxFailure>;

/** No sandbox: a command sees and may do what the person may who started wisp. */
export const NO_SANDBOX: Sandbox = {
  kind: "none",
  confine: () => ({ ok: true, value: undefined }),
};
