import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { need } from "../../src/base/fatal.ts";
import type { Command, RunEnd } from "../../src/base/ports/processes.ts";
import type { Confinement } from "../../src/base/ports/sandbox.ts";
import { ENGINE_NEEDS } from "../../src/engines/coding-clis.ts";
import { blobsIn } from "../../src/git/repository/known-objects.ts";
import { findExecutable } from "../../src/host/processes/find-executable.ts";
import { createNodeDirectories } from "../../src/host/files/node-directories.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { createNodeTreeView } from "../../src/host/files/node-tree-view.ts";
import { askProgram } from "../../src/host/processes/ask-program.ts";
import type { SandboxWorld } from "../../src/sandbox/world.ts";
import { bubblewrapProbe, createBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import type { SandboxPlaces, SandboxSetting } from "../../src/sandbox/sandbox-setting.ts";
import { giveTree, type User } from "./users.ts";
import { ownEnvironment } from "./own-environment.ts";

/** The value of every canary, which must not be found. */
export const CANARY = "canary-7c1f";

/** Absolute path of `bwrap` if it works, or else the reason. */
export async function workingBubblewrap(): Promise<
  { readonly path: string } | { readonly reason: string }
> {
  const env = ownEnvironment();
  const path = findExecutable("bwrap", { cwd: "/", env });
  if (path === undefined) return { reason: "bubblewrap is not installed" };
  const probe = await askProgram(bubblewrapProbe(path), { cwd: "/", env, timeoutMs: 10_000 });
  if (probe.kind === "exited" && probe.exitCode === 0) return { path };
  return { reason: "bubblewrap does not work: user namespaces may be off" };
}

/** The result of a command in the sandbox. */
export interface Sandboxed {
  readonly end: RunEnd;
  readonly out: string;
}

/** How a command of a test is run. */
export interface Running {
  readonly setting?: Partial<SandboxSetting>;
  readonly needs?: Partial<Confinement>;
  readonly stop?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  readonly places?: SandboxPlaces;
  /** By default the clone. */
  readonly cwd?: string;
  /** By default the user who runs the test. */
  readonly user?: User;
}

/** The file system and the git of this machine, as a sandbox uses them. */
export function worldOf(environment: Readonly<Record<string, string>>): SandboxWorld {
  return {
    tree: createNodeTreeView(),
    files: createNodeFiles(),
    directories: createNodeDirectories(),
    engines: ENGINE_NEEDS,
    blobsIn: (repository, ids) => blobsIn({ environment }, repository, ids),
  };
}

/** An invented person with a HOME, a checkout and a role's clone, and a sandbox for their commands. */
export class SandboxRig implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-sandbox-")));
  readonly home = join(this.root, "home");
  readonly repository = join(this.home, "code", "project");
  readonly state = join(this.home, ".local", "state", "wisp", "project", "session");
  readonly clone = join(this.state, "builder", "clone");
  readonly places: SandboxPlaces = {
    homes: [this.home],
    repository: this.repository,
    scratch: join(this.state, "builder", "sandbox"),
    state: [dirname(dirname(this.state))],
    caches: join(dirname(this.state), ".caches"),
  };
  readonly env: Readonly<Record<string, string>> = ownEnvironment({ HOME: this.home });
  readonly #bwrap: string;
  #runs = 0;

  constructor(bwrap: string) {
    this.#bwrap = bwrap;
    for (const directory of [this.repository, this.clone]) {
      mkdirSync(directory, { recursive: true });
      this.git(directory, "init", "-q", "-b", "main");
      this.git(directory, "config", "user.name", "Test");
      this.git(directory, "config", "user.email", "test@example.invalid");
    }
  }

  /** Writes a file, by default with the canary in it, and returns its absolute path. */
  plant(path: string, text: string = CANARY): string {
    const full = path.startsWith("/") ? path : join(this.home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, `${text}\n`);
    return full;
  }

  git(cwd: string, ...args: readonly string[]): string {
    return execFileSync("git", args, { cwd, env: this.env, encoding: "utf8" }).trim();
  }

  /** Runs a script of sh, or a command line, in the clone in the sandbox. */
  async run(script: string | Command["argv"], running: Running = {}): Promise<Sandboxed> {
    const { stop = new AbortController().signal, user } = running;
    const { command, enclosure } = this.#confine(script, running);
    if (user !== undefined) giveTree(this.root, user);
    const output = join(this.root, `out-${String(++this.#runs)}`);
    const end = need(
      await createNodeProcesses({ stopGraceMs: 20_000 }).run({
        ...command,
        enclosure: enclosure && {
          ...enclosure,
          before: [...(user?.before ?? []), ...enclosure.before],
        },
        stdin: "",
        stdoutPath: output,
        stderrPath: output,
        timeoutMs: 60_000,
        isIsolated: true,
        runId: `${this.root}#${String(this.#runs)}`,
        signal: stop,
      }),
    );
    return { end, out: readFileSync(output, "utf8") };
  }

  /** The arguments before those of the command. */
  words(script: string | Command["argv"], running: Running = {}): readonly string[] {
    return this.#confine(script, running).enclosure?.before ?? [];
  }

  #confine(
    script: string | Command["argv"],
    { setting = {}, needs = {}, env = {}, places = this.places, cwd = this.clone }: Running,
  ) {
    const sandbox = createBubblewrap({
      executable: this.#bwrap,
      setting: { network: true, deny: [], allow: [], write: [], ...setting },
      places,
      world: worldOf(this.env),
      gitConfig: "",
    });
    const argv = typeof script === "string" ? (["sh", "-c", script] as const) : script;
    const command = { argv, cwd, env: { ...this.env, ...env } };
    return { command, enclosure: need(sandbox.confine({ command, ...needs })) };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
