import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, signsIn, STANDSTILL_MS_MAX } from "./patience.ts";
import type { ProcessSession } from "./process-session.ts";

const LOOK_MS = 50;

/** A shell in a terminal of tmux, with `wisp` on its path; its process is in `wisp.pid`. */
export interface TmuxTerminal extends AsyncDisposable {
  /** Types a command and presses Enter. */
  readonly run: (command: string) => void;
  /** Presses keys, by their names in tmux: `t`, `Escape`, `Enter`, `C-c`. */
  readonly press: (...keys: readonly string[]) => void;
  /** Presses a key, again and again until the terminal shows a text. */
  readonly pressUntil: (key: string, text: string | RegExp) => Promise<void>;
  /** Types text literally. */
  readonly type: (text: string) => void;
  /** Pastes text, marked as pasted if the program has asked for that. */
  readonly paste: (text: string) => void;
  /** Writes to the terminal as another program would. */
  readonly disturb: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The current rows of the terminal. */
  readonly rows: () => readonly string[];
  /** Waits until the terminal shows a text. */
  readonly shows: (text: string | RegExp) => Promise<void>;
}

/** Puts an own program of the rig on the PATH of everything that it starts. */
export function putProgram({ root, env }: ProcessSession, name: string, text: string): void {
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
  if (!env["PATH"]?.startsWith(`${bin}:`)) env["PATH"] = `${bin}:${env["PATH"] ?? ""}`;
}

/** A screen without what moves on it while nothing happens, so that it is no sign of progress. */
function withoutClocks(shown: string): string {
  return shown.replaceAll(/\d+|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏●]/gu, "");
}

/** Opens a terminal in the repository of a session; it is closed with its server at the end. */
export function tmuxTerminal(
  session: ProcessSession,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): TmuxTerminal {
  const { root, repository, env } = session;
  const pid = join(root, "wisp.pid");
  putProgram(
    session,
    "wisp",
    `#!/bin/sh\necho $$ > '${pid}'\nexec '${process.execPath}' '${session.program}' "$@"\n`,
  );
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-u", "-f", "/dev/null", "-S", join(root, "tmux"), ...args], {
      cwd: repository,
      env: { ...env, LANG: "C.UTF-8", ENV: "", PS1: "$ " },
      encoding: "utf8",
      timeout: STANDSTILL_MS_MAX,
    });
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux("new-session", "-d", ...size, "-c", repository, "sh");
  const press = (...keys: readonly string[]) => void tmux("send-keys", ...keys);
  const type = (text: string) => void tmux("send-keys", "-l", text);
  const screen = () => tmux("capture-pane", "-p");
  const showsAfter = async (before: () => void, text: string | RegExp) => {
    let shown = "";
    const never = new Error("it is not there yet");
    const claim = () => {
      before();
      shown = screen();
      const isThere = typeof text === "string" ? shown.includes(text) : text.test(shown);
      if (!isThere) throw never;
    };
    const signs = () => signsIn(join(repository, ".wisp")) + withoutClocks(shown);
    await eventually(claim, { intervalMs: LOOK_MS, signs }).catch((error: unknown) => {
      if (error !== never) throw error;
      throw new Error(`the terminal never showed ${String(text)}:\n${shown}`);
    });
  };
  return {
    press,
    type,
    run(command) {
      type(command);
      press("Enter");
    },
    paste(text) {
      tmux("set-buffer", "--", text);
      tmux("paste-buffer", "-p");
    },
    disturb: (text) => writeFileSync(tmux("display-message", "-p", "#{pane_tty}").trim(), text),
    resize: (x, y) => void tmux("resize-window", "-x", String(x), "-y", String(y)),
    rows: () => screen().split("\n"),
    shows: (text) => showsAfter(() => undefined, text),
    pressUntil: (key, text) => showsAfter(() => press(key), text),
    async [Symbol.asyncDispose]() {
      const isOurs = (line: string) => / (?:tmux|sh)\b/.test(line) || line.includes("tmux -u");
      tmux("kill-server");
      await session.until("the end of the terminal", () => !session.leftovers().some(isOurs));
    },
  };
}
