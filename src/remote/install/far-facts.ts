import {
  ExecutorRefused,
  type Executor,
  type ExecutorFailure,
  type Place,
} from "../../base/ports/executor.ts";
import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { askFar } from "../far-program.ts";

/** What a place has that wisp needs. A program that it does not have is an empty text. */
export interface FarFacts {
  /** As a login shell of the user sets it: engines are often in a directory that only such a shell knows. */
  readonly path: string;
  /** What `uname -s` and `uname -m` print. */
  readonly system: string;
  readonly machine: string;
  /** Absolute path of Node, and what it says its version is, such as `v20.11.0`. */
  readonly node: string;
  readonly nodeVersion: string;
  /** What `git --version` prints. */
  readonly git: string;
}

const FACTS_SCRIPT = `
said="$("\${SHELL:-/bin/sh}" -lc 'printf "wisp-path=%s\\n" "$PATH"' 2>/dev/null < /dev/null | sed -n 's/^wisp-path=//p' | tail -n 1)"
PATH="\${said:-$PATH}"
printf '%s\\n' "path=$PATH" "system=$(uname -s)" "machine=$(uname -m)"
printf '%s\\n' "node=$(command -v node)" "nodeVersion=$(node --version 2>/dev/null)"
printf '%s\\n' "git=$(git --version 2>/dev/null)"`;

/** Asks a place what it has. */
export async function readFarFacts(
  executor: Executor,
  place: Place,
): Promise<Result<FarFacts, ExecutorFailure>> {
  const command = { argv: ["sh", "-c", FACTS_SCRIPT] as const };
  const asked = await askFar(
    executor,
    place,
    { argv: [...command.argv] },
    { timeoutMs: FAR_COMMAND_MS_MAX },
  );
  if (!asked.ok) return asked;
  const { stdout, end } = asked.value;
  const facts = new Map(
    stdout.split("\n").flatMap((line) => {
      const at = line.indexOf("=");
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
  if (!facts.has("git")) {
    const detail = end.stderr.trim() === "" ? "its shell did not answer" : end.stderr.trim();
    return fail(ExecutorRefused({ executor: executor.name, detail }));
  }
  const fact = (name: string) => facts.get(name) ?? "";
  return ok({
    path: fact("path"),
    system: fact("system"),
    machine: fact("machine"),
    node: fact("node"),
    nodeVersion: fact("nodeVersion"),
    git: fact("git"),
  });
}

/** The major version in a text such as `v20.11.0`; 0 if there is none. */
export function majorVersion(text: string): number {
  return Number(/^v(\d{1,4})\./u.exec(text)?.[1] ?? 0);
}
