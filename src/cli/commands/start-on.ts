import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import { passedWords } from "../../actions/elsewhere/passed-words.ts";
import { startAndFollow } from "../../actions/elsewhere/start-and-follow.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { keepCurrent } from "../../workspace/point-current.ts";
import { Usage } from "../../workspace/usage.ts";
import type { StartOptions } from "./start.ts";
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
  const found = await startAndFollow(cli, words);
  if (found === undefined) {
    cli.terminal.err("Nothing was created.");
    return ok(EXIT.failure);
  }
  const { id, branch } = found.session;
  keepCurrent(cli, found.session);
  cli.terminal.err(`Session ${id} on branch ${branch}, on ${shown(found.mirrors?.executor ?? on)}`);
  return showMirrored(cli, found, options);
}

const UNFIT = ["record", "trace"] as const;
