import { join } from "node:path";
import type { Command } from "../base/processes.ts";
import { NO_SANDBOX } from "../base/sandbox.ts";
import { VERIFY_TAIL_CHARS_MAX } from "../base/limits.ts";
import { cleanText } from "../fs-protocol/clean-text.ts";
import { commandEnvironment, namedForCommands } from "./command-environment.ts";
import { runIdOf, type RoleContext } from "./role-context.ts";

/** Commands of the project itself: setup, verify. */
export interface Commands {
  readonly commands: readonly (readonly string[])[];
  readonly cwd: string;
  /** Name of the output file below `logs/turns/`, without ending. */
  readonly output: string;
  readonly timeoutMs: number;
  /** It has the network whatever the settings say. */
  readonly needsNetwork?: boolean | undefined;
}

export type CommandsEnd =
  | { readonly kind: "passed" }
  /** `tail`: the end of the output, cleaned, for prompts. */
  | { readonly kind: "failed"; readonly reason: string; readonly tail: string }
  | { readonly kind: "stopped" };

/** Absent `sandbox`: nothing confines them. */
export type CommandContext = Pick<
  RoleContext,
  "home" | "role" | "session" | "ports" | "env" | "signal" | "sandbox"
>;

/** Runs the project's commands in order, each in its own process group, until one fails. */
export async function runCommands(
  context: CommandContext,
  { commands, cwd, output, timeoutMs, needsNetwork }: Commands,
): Promise<CommandsEnd> {
  const { home, role, session, ports, signal, sandbox = NO_SANDBOX } = context;
  const env = commandEnvironment(context.env, {
    named: namedForCommands(session, role),
    isConfined: sandbox.kind !== "none",
  });
  const outputPath = join(home.turns, `${output}.out`);
  for (const [executable = "", ...args] of commands) {
    const own: Command = { argv: [executable, ...args], cwd, env };
    const enclosure = sandbox.confine({ command: own, named: own.argv, needsNetwork });
    if (!enclosure.ok) return { kind: "failed", reason: enclosure.failure.reason, tail: "" };
    const end = await ports.processes.run({
      ...own,
      enclosure: enclosure.value,
      stdin: "",
      stdoutPath: outputPath,
      stderrPath: outputPath,
      timeoutMs,
      runId: runIdOf(home, role),
      signal,
    });
    const command = [executable, ...args].join(" ");
    if (!end.ok) {
      const { executable: missing, errno } = end.failure;
      return { kind: "failed", reason: `${missing} could not be started: ${errno}`, tail: "" };
    }
    if (end.value.kind === "stopped") return { kind: "stopped" };
    const reason = reasonOf(end.value, timeoutMs);
    if (reason === undefined) continue;
    // Whoever ends this process may have ended the command beside it: an interruption, no failure.
    if (signal.aborted) return { kind: "stopped" };
    return {
      kind: "failed",
      reason: `${command} ${reason}`,
      tail: tailOf(ports.files, outputPath),
    };
  }
  return { kind: "passed" };
}

type Ended =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "killed"; readonly signalName: string }
  | { readonly kind: "timed-out" };

function reasonOf(end: Ended, timeoutMs: number): string | undefined {
  switch (end.kind) {
    case "exited":
      return end.exitCode === 0 ? undefined : `exited with ${String(end.exitCode)}`;
    case "killed":
      return `was ended by ${end.signalName}`;
    case "timed-out":
      return `did not end within ${String(Math.round(timeoutMs / 1000))} s`;
  }
}

/** The end of an output file, cleaned; by default as much as a prompt may hold. */
export function tailOf(
  files: RoleContext["ports"]["files"],
  path: string,
  charsMax = VERIFY_TAIL_CHARS_MAX,
): string {
  const sizeBytes = files.stat(path)?.sizeBytes ?? 0;
  const fromBytes = Math.max(0, sizeBytes - charsMax * 4);
  const bytes = files.readChunk(path, fromBytes, sizeBytes - fromBytes);
  const text = new TextDecoder().decode(bytes.ok ? bytes.value : new Uint8Array());
  return cleanText(text.slice(-charsMax), { charsMax, lines: "many" });
}
