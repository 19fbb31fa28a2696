import type { Refusal } from "../base/failure.ts";
import type { Result } from "../base/result.ts";
import type { World } from "../workspace/world.ts";
import type { Terminal } from "./terminal.ts";

/** The context of every command. */
export interface Cli extends World {
  readonly terminal: Terminal;
}

/** The exit code of a command, or why it failed. */
export type Outcome = Result<number, Refusal>;

/** A command, once its code is loaded. */
export type LoadedCommand = (cli: Cli) => Promise<Outcome>;

/** How a command runs. */
export interface HowToRun {
  /** Failures are printed as an object. */
  readonly json?: boolean | undefined;
  /** The file to trace to. */
  readonly trace?: string | undefined;
}

/** Runs a command and explains its failure. */
export type Run = (action: LoadedCommand, options?: HowToRun) => Promise<void>;
