import { createCommandEngine, type CommandEngineOptions } from "./command.ts";
import type { Engine } from "./engine.ts";

export interface ReplayEngineOptions extends Omit<CommandEngineOptions, "name" | "argv"> {
  /** Absolute path of the Node that runs the player. */
  readonly nodePath: string;
  /** Absolute path of the bundled program, whose `replay-turn` command is the player. */
  readonly wispPath: string;
  /** Absolute path of the cassette. */
  readonly cassettePath: string;
}

/**
 * The engine without a model: each turn is a process, like any command's, that plays one turn of a
 * cassette (`cassette.ts`). It replaces the model's words and edits; all that follows is real.
 */
export function createReplayEngine(options: ReplayEngineOptions): Engine {
  const { nodePath, wispPath, cassettePath, ...ports } = options;
  return createCommandEngine({
    ...ports,
    name: "replay",
    argv: [nodePath, wispPath, "replay-turn", cassettePath],
  });
}
