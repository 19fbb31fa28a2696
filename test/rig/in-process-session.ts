import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Role, ROLES } from "../../src/base/role.ts";
import type { Engine, TurnOutcome, TurnRequest } from "../../src/engines/engine.ts";
import { homeAt, type Home } from "../../src/fs-protocol/home/home.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import { DEFAULT_POLICY } from "./default-policy.ts";
import { createSessionReader } from "../../src/session/state/session-reader.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { createHost } from "../../src/host/host.ts";
import type { RoleEnd } from "../../src/work/run-role.ts";
import { startRole } from "../../src/agents/start-role.ts";

/** A scripted engine: what the model would do, as a function of the turn. */
export type Script = (request: TurnRequest) => TurnOutcome | Promise<TurnOutcome>;

/** A session in a temporary repository, whose four roles run in this process with real git and files. */
export interface InProcessSession extends Disposable {
  readonly home: Home;
  readonly session: SessionJson;
  readonly repository: string;
  /** `of`: the home of a revision, by default the session's own. */
  readonly start: (
    role: Role,
    script: Script,
    of?: Home,
  ) => { stop: () => void; ended: Promise<RoleEnd> };
  readonly runAll: (script: Script) => Promise<readonly RoleEnd[]>;
  readonly state: () => Promise<SessionState>;
  readonly git: (...args: readonly string[]) => string;
}

export interface InProcessOptions {
  readonly verify?: readonly (readonly string[])[];
  readonly policy?: Partial<Policy>;
  readonly review?: SessionJson["review"];
  /** Directory of the reviewers, instead of that of the tests. */
  readonly reviewers?: string;
  /** Files of the base commit, besides a README. */
  readonly files?: Readonly<Record<string, string>>;
  readonly request?: string;
}

const ENVIRONMENT = { ...process.env };

/** Creates the repository, the branch and the session's home. */
export function inProcessSession(options: InProcessOptions = {}): InProcessSession {
  const root = mkdtempSync(join(tmpdir(), "wisp-"));
  const repository = join(root, "repository");
  mkdirSync(repository);
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: repository, env: ENVIRONMENT, encoding: "utf8" }).trim();
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  writeFileSync(join(repository, "README.md"), "# project\n");
  for (const [path, text] of Object.entries(options.files ?? {})) put(repository, path, text);
  git("add", "-A");
  git("commit", "-qm", "Start");
  const base = git("rev-parse", "HEAD");
  git("branch", "wisp/demo", base);
  const home = homeAt(join(repository, ".wisp", "sessions", "demo"));
  for (const directory of [home.turns, home.plans, home.locks])
    mkdirSync(directory, { recursive: true });
  writeFileSync(home.request, options.request ?? "# Request\n");
  const engine = { name: "script", argv: ["script"], turnTimeoutMs: 60_000 };
  const session: SessionJson = {
    version: 1,
    progress: 2,
    id: "demo",
    branch: "wisp/demo",
    base,
    createdAt: "2026-11-20T12:00:00.000Z",
    repository,
    state: join(root, "state"),
    identity: { name: "Test", email: "test@example.invalid" },
    engines: { planner: engine, builder: engine, reviewer: engine, tester: engine },
    policy: { ...DEFAULT_POLICY, ...options.policy },
    review: options.review,
    verify: (options.verify ?? []).map((argv) => [...argv]),
    setup: [],
    verifyTimeoutMs: 60_000,
    testPaths: ["test/**"],
    publish: { at: "done" },
  };
  writeFileSync(home.sessionJson, JSON.stringify(session));
  const start: InProcessSession["start"] = (role, script, of = home) => {
    const stop = new AbortController();
    const scripted: Engine = { name: "script", turn: async (request) => script(request) };
    const ended = startRole(role, {
      host: createHost(),
      home: of,
      session,
      engines: [scripted],
      templates: [join(import.meta.dirname, "../../templates")],
      reviewers: [options.reviewers ?? join(import.meta.dirname, "../fixtures/reviewers")],
      env: stringsOnly(ENVIRONMENT),
      pid: process.pid,
      stop,
    });
    return {
      stop: () => {
        stop.abort();
      },
      ended,
    };
  };
  return {
    home,
    session,
    repository,
    start,
    git,
    runAll: (script) => Promise.all(ROLES.map((role) => start(role, script).ended)),
    async state() {
      const { files, directories, clock } = createHost();
      const context = { files, directories, clock, environment: stringsOnly(ENVIRONMENT) };
      const reader = createSessionReader(files, openHub(context, repository), home, session);
      const read = await reader.read();
      if (!read.ok) throw new Error(JSON.stringify(read.failure));
      return read.value;
    },
    [Symbol.dispose]: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function stringsOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );
}

/** Writes a file of the work tree, folders included. */
export function put(cwd: string, path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}

/** Commits everything in a clone, as an engine would. */
export function commit(cwd: string, message: string): void {
  execFileSync("git", ["add", "-A"], { cwd, env: ENVIRONMENT });
  execFileSync("git", ["commit", "-qm", message], { cwd, env: ENVIRONMENT });
}

/** Makes an empty commit in a clone, like an engine that only claims to work. */
export function commitNothing(cwd: string, message: string): void {
  execFileSync("git", ["commit", "-qm", message, "--allow-empty"], { cwd, env: ENVIRONMENT });
}
