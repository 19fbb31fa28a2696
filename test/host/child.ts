import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { present } from "../../src/base/assert.ts";
import { compiledFixture } from "./compiled.ts";

/** A process of a test, killed at the end of the test. */
export interface Child extends Disposable {
  readonly pid: number;
  /** The first line that it prints. */
  readonly said: Promise<string>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  kill(signalName: NodeJS.Signals): void;
}

/** Starts a program of test/fixtures/host. */
export function startFixture(name: string, ...args: readonly string[]): Child {
  return startProgram(process.execPath, [compiledFixture(name), ...args]);
}

/** Starts any program. */
export function startProgram(executable: string, args: readonly string[]): Child {
  const child = spawn(executable, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    pid: present(child.pid, "the program was started"),
    said: firstLineOf(child),
    ended,
    kill: (signalName) => void child.kill(signalName),
    [Symbol.dispose]: () => void child.kill("SIGKILL"),
  };
}

function firstLineOf(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: present(child.stdout, "its output is a pipe") });
  return new Promise((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
}
