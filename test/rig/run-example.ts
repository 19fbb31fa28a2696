import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { splitCommand } from "../../src/agents/tester/command-line.ts";
import { STANDSTILL_MS_MAX } from "./patience.ts";
import type { Ended, ProcessSession } from "./process-session.ts";

const WISP = join(import.meta.dirname, "../../dist/wisp.js");

/** A command of the documents, and its result in a session of some state. */
export interface Example {
  /** The command as in the documents. */
  readonly text: string;
  /** What is run for it; by default the text both without and with the parts in brackets. */
  readonly typed?: readonly string[];
  /** The exit code, by default 0. */
  readonly code?: number;
  /** Text that it prints, on either stream. */
  readonly says: RegExp;
  /** Whether it prints until it is interrupted. */
  readonly isFollowing?: true;
}

/** The command lines that are run for an example, with the session's name. */
export function typedFor({ text, typed }: Example, session: string): readonly string[] {
  const bare = text.replaceAll(/ \[[^\]]*\]/gu, "");
  const full = text.replace("[session]", session).replaceAll(/[[\]]/gu, "");
  return [...new Set(typed ?? [bare, full])];
}

/** Runs a command line of wisp, or another one by the shell, in the session's repository. */
export function runExample(session: ProcessSession, line: string): Promise<Ended> | Ended {
  return line.startsWith("wisp ")
    ? session.wisp(...wordsOf(line))
    : runShell(session, line, session.repository);
}

/** Runs a line of shell in a folder, with Debian's `awk` if it is installed. */
export function runShell(session: ProcessSession, line: string, cwd: string): Ended {
  const hasMawk = spawnSync("sh", ["-c", "command -v mawk"]).status === 0;
  const own = hasMawk ? line.replace(/\bawk\b/u, "mawk") : line;
  const env = { ...session.env, LC_ALL: "C" };
  const options = { cwd, env, encoding: "utf8", timeout: STANDSTILL_MS_MAX } as const;
  const ran = spawnSync("sh", ["-c", own], options);
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

/** Runs a command that follows a file until it has printed something, and interrupts it, like a person. */
export function follow(session: ProcessSession, line: string): Promise<Ended> {
  const [program, args]: [string, string[]] = line.startsWith("wisp ")
    ? [process.execPath, [WISP, ...wordsOf(line)]]
    : ["sh", ["-c", `exec ${line}`]];
  const { repository: cwd, env } = session;
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
    child.kill("SIGINT");
  });
  return new Promise((resolve) => {
    // A shell reports the end by this signal as 130.
    child.once("close", (code, signal) => {
      resolve({ code: signal === "SIGINT" ? 130 : code, ...output });
    });
  });
}

function wordsOf(line: string): readonly string[] {
  const words = splitCommand(line);
  if (!words.ok || words.value[0] !== "wisp") throw new Error(`"${line}" is no command of wisp`);
  return words.value.slice(1);
}
