import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { CONTAINER_END_MS_MAX, CONTAINER_OWNER_LOOK_MS } from "../../base/container-limits.ts";
import { EXIT } from "../../base/exit-code.ts";
import type { Files } from "../../base/ports/files.ts";
import { readInput } from "../system/read-input.ts";
import { spawn } from "../system/effects.ts";
import { askProgram } from "./ask-program.ts";

/** A container to hold. */
export interface HeldContainer {
  /** The pid of the process to which it belongs: our parent, as long as that is alive. */
  readonly owner: number;
  /** A file for what the command reads, which is written here from our standard input, and removed in the end. */
  readonly input: string;
  /** The command line of `podman run` or `docker run`, whose container reads lines from its standard input. */
  readonly words: readonly [string, ...string[]];
}

/** How long a removal may take: more than the grace that an unwilling container gets. */
const REMOVE_MS_MAX = 30_000;

/**
 * Runs a container, and returns the exit code of its command. It ends with us, even if we are killed: then its standard
 * input ends, which its first process notices. TERM is passed on as a line. When it comes a second time, or the owner
 * has gone, the container is ended and removed.
 */
export async function holdContainer(
  { files }: { readonly files: Pick<Files, "remove" | "createScratch"> },
  { owner, input, words }: HeldContainer,
): Promise<number> {
  const [asked, told] = [new AbortController(), new AbortController()];
  // From the beginning: by default, it would end us without a word to the container.
  process.on("SIGTERM", () => (asked.signal.aborted ? told : asked).abort());
  files.remove(input);
  files.createScratch(input, Buffer.from(readInput()));
  await remove(words);
  if (asked.signal.aborted || process.ppid !== owner) return EXIT.interrupted;
  const [program, ...rest] = words;
  // In a group of its own: what is sent to ours is for us to pass on.
  const held = spawn(program, rest, { stdio: ["pipe", "inherit", "inherit"], detached: true });
  held.stdin?.on("error", () => undefined);
  asked.signal.addEventListener("abort", () => held.stdin?.write("end\n"), { once: true });
  const end = await Promise.race([endOf(held), ownerGone(owner), toldBy(told.signal)]);
  if (typeof end === "string") await endNow(held);
  if (end !== 0) await remove(words);
  files.remove(input);
  return typeof end === "string" ? EXIT.interrupted : end;
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("error", () => resolve(EXIT.failure));
    child.once("exit", (exitCode, signalName) => {
      resolve(exitCode ?? 128 + (signalName === null ? 0 : constants.signals[signalName]));
    });
  });
}

/** Resolves when our parent is another process than the owner. */
async function ownerGone(owner: number): Promise<"gone"> {
  // No system tells a process of this in a way that Node could hear.
  while (process.ppid === owner) await sleep(CONTAINER_OWNER_LOOK_MS, undefined, { ref: false });
  return "gone";
}

function toldBy(signal: AbortSignal): Promise<"told"> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve("told"), { once: true });
  });
}

/** Ends a container, whatever runs in it. */
async function endNow(held: ChildProcess): Promise<void> {
  const isOver = held.exitCode !== null || held.signalCode !== null;
  held.stdin?.end();
  if (!isOver) await Promise.race([endOf(held), sleep(CONTAINER_END_MS_MAX)]);
}

/** Removes the container by its name, if there is one, with everything that runs in it. */
async function remove(words: HeldContainer["words"]): Promise<void> {
  const name = words[words.indexOf("--name") + 1] ?? "";
  const env = Object.fromEntries(
    Object.entries(process.env).map(([key, value]) => [key, value ?? ""]),
  );
  const limits = { cwd: "/", env, timeoutMs: REMOVE_MS_MAX };
  await askProgram([words[0], "rm", "--force", name], limits);
}
