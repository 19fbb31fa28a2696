import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { passedWords } from "../../actions/elsewhere/passed-words.ts";
import { runStarted } from "../../actions/elsewhere/run-started.ts";
import { startElsewhere } from "../../actions/elsewhere/start-elsewhere.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { Usage } from "../../workspace/usage.ts";
import type { StartOptions } from "../commands/start.ts";
import { showMirrored } from "./show-mirrored.ts";

interface StartOnOptions extends StartOptions {
  /** The executor, as a person names it. */
  readonly on: string;
  /** False to accept a place at which no sandbox works. */
  readonly sandbox: boolean;
  readonly trace?: string | undefined;
  readonly milestoneBudget?: string | undefined;
}

/** `wisp start --on`: creates a session on another machine, runs it there, and follows it. */
export async function startOn(cli: Cli, options: StartOnOptions): Promise<Outcome> {
  const unfit = UNFIT.find((name) => options[name] !== undefined);
  if (unfit !== undefined) {
    return fail(Usage({ problem: `--${unfit} cannot be used for a session that runs elsewhere` }));
  }
  const { on, again = false, yes, json, sandbox } = options;
  const how = { withoutSandbox: !sandbox, passed: passedWords(options) };
  const words = { ...options, on, again, yes, json, ...how };
  const started = await startElsewhere(cli, words);
  if (started === undefined) {
    cli.terminal.err("Nothing was created.");
    return ok(EXIT.failure);
  }
  const { id, executor } = started;
  const found = await runStarted(cli, started, options);
  cli.terminal.err(`Session ${id} on branch ${found.session.branch}, on ${shown(executor.name)}`);
  return showMirrored(cli, found, options);
}

const UNFIT = ["record", "trace"] as const;
