import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expectNoEngines } from "../rig/marked-processes.ts";
import { expectDescribed } from "../rig/printed-json.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const execute = promisify(execFile);
const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/** The result of a command. */
export interface Ended {
  /** 128 and more mean that a signal ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when the text has been printed, on whichever stream; rejects when it ended without. */
  says(text: string): Promise<void>;
}

export interface Where {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What comes on standard input; without it there is none. */
  readonly input?: string | Uint8Array | undefined;
}

/**
 * A machine of its own for a test: a copy of the built program, an empty home, and repositories in
 * one temporary folder that is removed at the end.
 */
export class WispRig implements AsyncDisposable {
  readonly root: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(root: string) {
    this.root = root;
    this.#env = ownEnvironment({
      HOME: join(root, "home"),
      LANG: "C.UTF-8",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.com",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.com",
    });
  }

  static async create(): Promise<WispRig> {
    // Resolved, because git and the working directory of a process report it like this.
    const root = await realpath(await mkdtemp(join(tmpdir(), "wisp-")));
    await mkdir(join(root, "home"));
    for (const part of ["dist", "templates", "schemas", "demo"]) {
      await cp(join(repositoryRoot, part), join(root, "package", part), { recursive: true });
    }
    return new WispRig(root);
  }

  /** A file of the installed program. */
  packaged(...path: readonly string[]): string {
    return join(this.root, "package", ...path);
  }

  start(words: readonly string[], { cwd, env, input }: Where): Running {
    const argv = [this.packaged("dist", "wisp.js"), ...words];
    const child = spawn(process.execPath, argv, {
      cwd,
      env: { ...this.#env, ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    // A command that refuses its input early does not read the rest of it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    return running(child, words);
  }

  /** Runs a command to its end; what it prints with `--json` has to be as published. */
  async run(words: readonly string[], where: Where): Promise<Ended> {
    const ended = await this.start(words, where).ended;
    const isForPrograms = words.includes("--json") && words[0] !== "complete";
    if (isForPrograms && ended.code < 128) expectDescribed(ended.stdout);
    return ended;
  }

  async git(cwd: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await execute("git", [...args], { cwd, env: this.#env });
    return stdout.trim();
  }

  /** A repository on `main` with one commit of these files; those that begin with `#!` are executable. */
  async repository(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const directory = join(this.root, name);
    await writeTree(directory, files);
    await this.git(directory, "init", "--quiet", "--initial-branch=main");
    await this.git(directory, "add", "--all");
    await this.git(directory, "commit", "--quiet", "--allow-empty", "--message", "Begin");
    return directory;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await expectNoEngines(this.root);
    await rm(this.root, { recursive: true, force: true });
  }
}

/** Writes files by path, with the folders they need. */
export async function writeTree(
  directory: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
    if (text.startsWith("#!")) await chmod(join(directory, path), 0o755);
  }
}

function running(child: ChildProcess, words: readonly string[]): Running {
  const output = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signalName) => {
      resolve({ code: code ?? (signalName === null ? 1 : 128), ...output });
    });
  });
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (output.stdout.includes(text) || output.stderr.includes(text)) resolve();
      };
      listeners.add(look);
      look();
      void ended.then(() => {
        const all = `${output.stdout}\n${output.stderr}`;
        reject(new Error(`wisp ${words.join(" ")} ended without "${text}":\n${all}`));
      });
    });
  return { child, ended, says };
}
