import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  endProcess,
  expectNoEngines,
  markedProcesses,
  type MarkedProcess,
} from "./marked-processes.ts";
import { expectDescribed } from "./printed-json.ts";
import { installProgram } from "./installed-program.ts";
import { eventually, signsIn, STANDSTILL_MS_MAX } from "./patience.ts";
import { commandOf, giveTree, MYSELF, type User } from "./users.ts";
import { ownEnvironment } from "./own-environment.ts";

/** The built command line. */
export const WISP = join(import.meta.dirname, "../../dist/wisp.js");
/** The program that plays a scenario as an engine. */
export const AGENT = join(import.meta.dirname, "../fixtures/agent/agent.mjs");
const FACT_LOOK_MS = 25;

/** How a command of wisp ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A repository in a temporary folder with an empty HOME, for the real binary. */
export interface ProcessSession extends AsyncDisposable {
  readonly root: string;
  readonly repository: string;
  /** The script of the program. */
  readonly program: string;
  /** The environment of everything that the rig starts. */
  readonly env: NodeJS.ProcessEnv;
  readonly wisp: (...args: readonly string[]) => Promise<Ended>;
  /** Starts a command of wisp and leaves it running; it is ended with the rig. */
  readonly spawn: (...args: readonly string[]) => ChildProcess;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (path: string, text: string) => void;
  /** A file below the home of a session, or "" while it does not exist. */
  readonly read: (path: string, session?: string) => string;
  readonly home: (session?: string) => string;
  /** Waits until a condition holds; if it never does, fails with the content of the logs. */
  readonly until: (what: string, fact: () => boolean) => Promise<void>;
  /** Kills every process that the rig started, and waits until none is left. */
  readonly killAll: () => Promise<void>;
  /** Processes whose environment or command line names this rig's folder. */
  readonly leftovers: () => readonly string[];
}

export interface ProcessSessionOptions {
  /** Body of `export default { … }` of the scenario that the agent plays. */
  readonly scenario?: string;
  /** The value of `engine` in the settings, as YAML; by default the agent. */
  readonly engine?: string;
  /** More lines of `.wisp/config.yaml`. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** The value of `sandbox` in the settings; by default none, because agents of tests write anywhere. */
  readonly sandbox?: string;
  /** Files of reviewers besides the shipped `correctness`, by name; the other shipped ones are disabled. */
  readonly reviewers?: Readonly<Record<string, string>>;
  /** The user who runs wisp and git; by default the user who runs the test. */
  readonly user?: User;
  /** Whether the program is installed in a folder of the rig, where it can be replaced. */
  readonly isInstalled?: boolean;
}

const NOT_ASKED = ["docs", "performance", "security", "simplicity", "tests"];
const NEVER = "---\nlevel: suggestion\nwhen: never\n---\n";

/** Creates the repository with its configuration, committed. */
export function processSession(options: ProcessSessionOptions): ProcessSession {
  const root = mkdtempSync(join(tmpdir(), "wisp-"));
  const repository = join(root, "repository");
  const env = environment(root);
  const children: ChildProcess[] = [];
  const { user = MYSELF, isInstalled = false } = options;
  const program = isInstalled ? installProgram(join(root, "installed")) : WISP;
  /** Before a command of another user, the files are given to that user. */
  const asUser = (program: string, ...args: readonly string[]): readonly [string, ...string[]] => {
    giveTree(root, user);
    return commandOf(user, program, ...args);
  };
  const git = (...args: readonly string[]) => {
    const [program, ...rest] = asUser("git", ...args);
    const options = { cwd: repository, env, encoding: "utf8", timeout: STANDSTILL_MS_MAX } as const;
    return execFileSync(program, rest, options).trim();
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  const home = (session?: string) =>
    session === undefined
      ? join(repository, ".wisp", "current")
      : join(repository, ".wisp", "sessions", session);
  mkdirSync(repository);
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  const scenario = join(root, "scenario.mjs");
  writeFileSync(scenario, `export default {\n${options.scenario ?? ""}\n};\n`);
  const engine = options.engine ?? agentPlaying(scenario);
  // Tests download nothing.
  const sandbox = `sandbox: ${options.sandbox ?? "none"}\nmcp: { playwright: false }\n`;
  write(".wisp/config.yaml", `engine: ${engine}\n${sandbox}${options.config ?? ""}`);
  const asked = Object.entries(options.reviewers ?? {});
  for (const [name, text] of [...NOT_ASKED.map((left) => [left, NEVER] as const), ...asked]) {
    write(`.wisp/reviewers/${name}.md`, text);
  }
  write("request.md", "# A request\n\nDo the thing.\n");
  for (const [path, text] of Object.entries(options.files ?? {})) write(path, text);
  git("add", "-A");
  git("commit", "-qm", "Start");
  const session: Omit<ProcessSession, keyof AsyncDisposable> = {
    root,
    repository,
    program,
    env,
    git,
    write,
    home,
    async wisp(...args) {
      const ended = await run(asUser(process.execPath, program, ...args), repository, env);
      // One that was killed may have printed half of it.
      if (args.includes("--json") && ended.code !== null) expectDescribed(ended.stdout);
      return ended;
    },
    spawn(...args) {
      const [first, ...rest] = asUser(process.execPath, program, ...args);
      const child = spawn(first, rest, { cwd: repository, env, stdio: "ignore" });
      children.push(child);
      return child;
    },
    read: (path, id) => {
      const file = join(home(id), path);
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
    async until(what, fact) {
      const claim = () => {
        if (!fact()) throw new Error(`${what} never came`);
      };
      const signs = () => signsIn(join(repository, ".wisp"));
      await eventually(claim, { intervalMs: FACT_LOOK_MS, signs }).catch((error: unknown) => {
        throw new Error(logsOf(home()), { cause: error });
      });
    },
    killAll: () => endAll(root, session),
    leftovers: () => startedBy(root).map(({ pid, commandLine }) => `${pid} ${commandLine}`),
  };
  return {
    ...session,
    async [Symbol.asyncDispose]() {
      try {
        await allLeave(root, children);
      } finally {
        await session.killAll();
        rmSync(root, { recursive: true, force: true });
      }
    },
  };
}

/** Kills until none is left, because one that is being killed may just have started another. */
function endAll(root: string, { until }: Pick<ProcessSession, "until">): Promise<void> {
  return until("the end of every process", () => {
    const left = startedBy(root);
    for (const { pid } of left) endProcess(pid);
    return left.length === 0;
  });
}

function homeIn(root: string): string {
  return join(root, "empty-home");
}

function environment(root: string): NodeJS.ProcessEnv {
  const own = homeIn(root);
  mkdirSync(own);
  return { ...ownEnvironment({ HOME: own, NO_COLOR: "1", WISP_TEST_ROOT: root }) };
}

function agentPlaying(scenario: string): string {
  return `{ command: ${JSON.stringify([process.execPath, AGENT, scenario])} }`;
}

/** Whether a user can read the binary: the checkout may be in a folder that others cannot enter. */
export function canRun(user: User): boolean {
  const [program, ...rest] = commandOf(user, process.execPath, WISP, "--version");
  return spawnSync(program, rest, { cwd: "/", stdio: "ignore" }).status === 0;
}

function run(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd, env, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}

/** Everything that the rig starts has its empty HOME, including engines, which see few other variables. */
function startedBy(root: string): readonly MarkedProcess[] {
  return markedProcesses((variable) => variable === `HOME=${homeIn(root)}`);
}

/** Asks the roles to exit, and checks that they leave no process behind, as they promise. */
async function allLeave(root: string, children: readonly ChildProcess[]): Promise<void> {
  // At a place below the root runs a copy of the program. The engines `replay` and `acp` are the program, too.
  const programs = [WISP, `${root}/\\S*/dist/wisp\\.js`].join("|");
  const role = new RegExp(`(?:${programs}) (?!replay-turn|acp-turn)`, "u");
  const isRole = ({ commandLine }: MarkedProcess) => role.test(commandLine);
  for (const child of children) child.kill("SIGTERM");
  const asked = new Set<number>();
  const isAnyLeft = () => {
    const roles = startedBy(root).filter(isRole);
    // A supervisor may just have started another when it was asked.
    for (const { pid } of roles) if (!asked.has(pid)) askToEnd(pid);
    for (const { pid } of roles) asked.add(pid);
    return roles.length > 0;
  };
  isAnyLeft();
  await expectNoEngines(root, isAnyLeft);
}

function askToEnd(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It ended by itself.
  }
}

function logsOf(home: string): string {
  const logs = join(home, "logs");
  if (!existsSync(logs)) return "(no logs)";
  return readdirSync(logs)
    .filter((name) => name.endsWith(".log") || name.endsWith(".out"))
    .map((name) => `== ${name}\n${readFileSync(join(logs, name), "utf8").slice(-4_000)}`)
    .join("\n");
}
