import { join } from "node:path";
import type { Command } from "../../base/ports/processes.ts";
import { NO_SANDBOX } from "../../base/ports/sandbox.ts";
import { environmentIn, replacementIn } from "../../engines/run/environment-in.ts";
import { rebaseWords } from "../../engines/run/rebase-environment.ts";
import { commandEnvironment, namedForCommands, placeOfCommands } from "./command-environment.ts";
import { runIdOf, type RoleContext } from "../../work/role-context.ts";
import { runInOrder, type CommandsEnd } from "../../work/run-in-order.ts";

/** The project's own commands that run in a role's clone: its setup. */
export interface ProjectCommands {
  readonly commands: readonly (readonly string[])[];
  readonly cwd: string;
  /** Name of the output file in `logs/turns/`, without extension. */
  readonly output: string;
  readonly timeoutMs: number;
  /** Allows the network regardless of the settings. */
  readonly needsNetwork?: boolean | undefined;
}

/** Without `sandbox`, the commands are not confined. */
export type CommandContext = Pick<
  RoleContext,
  "home" | "role" | "session" | "ports" | "env" | "signal" | "sandbox"
>;

/** Runs the project's commands in order, each in its own process group, until one fails. */
export function runCommands(
  context: CommandContext,
  { commands, cwd, output, timeoutMs, needsNetwork }: ProjectCommands,
): Promise<CommandsEnd> {
  const { home, role, session, ports, signal, sandbox = NO_SANDBOX } = context;
  const envNames = namedForCommands(session, role);
  const isConfined = sandbox.kind !== "none";
  const seen = commandEnvironment(context.env, { named: envNames, isConfined });
  const instead = placeOfCommands(context, cwd);
  const env = environmentIn(seen, instead);
  const outputPath = join(home.turns, `${output}.out`);
  return runInOrder(
    async (argv) => {
      const [executable = "", ...args] = rebaseWords(argv, replacementIn(instead));
      const own: Command = { argv: [executable, ...args], cwd, env };
      const enclosure = sandbox.confine({
        ...{ command: own, named: own.argv, needsNetwork, hidesCheckout: true },
      });
      if (!enclosure.ok) return enclosure;
      return ports.processes.run({
        ...own,
        enclosure: enclosure.value,
        stdin: "",
        stdoutPath: outputPath,
        stderrPath: outputPath,
        timeoutMs,
        runId: runIdOf(home, role),
        signal,
      });
    },
    { commands, stage: "setup", outputPath, timeoutMs, envNames, files: ports.files, signal },
  );
}
