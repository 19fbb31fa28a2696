import { spawnSync } from "node:child_process";
import { toolEnvironment } from "./own-environment.ts";

/** Whether a program runs on this machine, which is tested by asking for its version. */
export function runsHere([executable = "", ...args]: readonly string[]): boolean {
  const env = toolEnvironment();
  return spawnSync(executable, args, { env, stdio: "ignore" }).status === 0;
}

/** The runner pytest, as a module of the Python that is found first. */
export const PYTEST_VERSION = ["python3", "-m", "pytest", "--version"];
