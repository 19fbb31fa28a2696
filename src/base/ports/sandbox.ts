import type { Command, Enclosure } from "./processes.ts";
import type { Result } from "../result.ts";

/** The kinds of sandboxes, as settings and `session.json` name them. */
export const SANDBOX_KINDS = ["none", "bubblewrap", "srt", "container"] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

/** Package caches of a single command, each in a folder of its own name. */
export interface OwnCaches {
  /** The folder of the caches that it fills. */
  readonly folder: string;
  /** The folder and the names of the caches that it only reads. */
  readonly filled: { readonly folder: string; readonly names: ReadonlySet<string> };
}

/** A command to confine, and what it needs from outside. */
export interface Confinement {
  readonly command: Command;
  /**
   * Words from the frozen settings, which the user wrote: files that they name by an absolute path are shown, and
   * so is what belongs to a program that they name. If absent, a model may have written the command, and none of
   * its words makes anything visible.
   */
  readonly named?: readonly string[] | undefined;
  /** wisp's own files and directories that it may read, if they exist. */
  readonly readable?: readonly string[] | undefined;
  /** Files and directories that it may write besides its working directory, if they exist. */
  readonly writable?: readonly string[] | undefined;
  /** The engine whose folders it gets; none if absent. */
  readonly engine?: string | undefined;
  /** Paths within the writable ones that it may only read. */
  readonly readOnly?: readonly string[] | undefined;
  /** Folders within those again that it may write. */
  readonly writableWithin?: readonly string[] | undefined;
  /**
   * Whether the person's checkout is hidden, but for its objects, what the settings show in it, and what this command
   * is given. A command that judges a commit must not find other files than the commit's.
   */
  readonly hidesCheckout?: boolean | undefined;
  /** Package caches that replace the ones shared by the repository's sandboxes. */
  readonly caches?: OwnCaches | undefined;
  /** Whether it gets the network whatever the settings say, for a setup that needs it. */
  readonly needsNetwork?: boolean | undefined;
  /**
   * Whether it gets a loopback of its own, on which no other command's ports are, and nothing else of the network,
   * whatever the settings say. Without a sandbox it has no effect; srt gives a loopback of its own on Linux only.
   */
  readonly hasOwnLoopback?: boolean | undefined;
}

/** The sandbox cannot be made, and nothing was run. `reason` is one line for people. */
export interface SandboxFailure {
  readonly kind: "sandbox";
  readonly reason: string;
}

/** Confines commands; each role's process has one. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /**
   * Whether commands share the machine's loopback, unless one is to have its own (`hasOwnLoopback`). Absent: each has
   * its own anyway, or there is none to give.
   */
  readonly givesLoopback?: boolean | undefined;
  /** What encloses the command; `undefined` if nothing confines it. Does not run anything. */
  confine(confinement: Confinement): Result<Enclosure | undefined, SandboxFailure>;
}

/** Confines the turns of one engine; `beside` lists what a turn needs besides its clone. */
export type Confine = (
  command: Command,
  beside: Pick<Confinement, "readable" | "writable">,
) => Result<Enclosure | undefined, SandboxFailure>;

/** No sandbox: a command has all the rights of the user who started wisp. */
export const NO_SANDBOX: Sandbox = {
  kind: "none",
  confine: () => ({ ok: true, value: undefined }),
};
