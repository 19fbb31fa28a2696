import { isAbsolute } from "node:path";
import { assert } from "../../base/assert.ts";
import { FAR_COMMAND_MS_MAX, FAR_COPY_MS_MAX } from "../../base/limits.ts";
import {
  ExecutorRefused,
  ExecutorUnreachable,
  PlaceGone,
  type Executor,
  type ExecutorFailure,
  type Place,
} from "../../base/ports/executor.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { DESTROY_SCRIPT, EXEC_SCRIPT, NO_DIRECTORY_EXIT, NO_FILE_EXIT } from "../far-scripts.ts";
import { executorOverArgv, farWords, type ExecutorHost } from "../over-argv.ts";
import {
  CREATE_PLACE_SCRIPT,
  NETWORK_DISK_EXIT,
  NO_PLACE_EXIT,
  PLACE_STATE_SCRIPT,
} from "./place-scripts.ts";
import { farLine, stderrOf255 } from "./quote-words.ts";
import { lastLine, sshFailure } from "./ssh-failure.ts";
import { SshLink } from "./ssh-link.ts";
import { sshTerminalArgv, type SshOptions } from "./ssh-options.ts";

const LOCAL_DISK_HINT =
  "Name a directory on a local disk of that host for places, then run the same command again.";

/** Places on a host that OpenSSH reaches, each a directory of the user's there. */
export function sshExecutor(host: ExecutorHost, options: SshOptions): Executor {
  const { name } = options;
  assert(options.root === undefined || isAbsolute(options.root), "places are below absolute paths");
  const scripts = new SshScripts(host, options);
  const over = executorOverArgv(
    name,
    { ...host, programs: scripts.link },
    { argvTo: (_place, argv) => argv, failureOf: (place, end) => scripts.failureOf(place, end) },
  );
  return {
    ...{ kind: "ssh", name, ...over },
    async exec(place, command, streams) {
      const ran = await over.exec(place, command, streams);
      return ran.ok ? ok(withoutMark(ran.value)) : ran;
    },
    create: ({ key }) => scripts.create(key),
    async status({ root }) {
      const isThere = await scripts.isThere(root);
      return isThere.ok ? ok({ kind: isThere.value ? "up" : "gone" }) : isThere;
    },
    terminalArgv: (place, command) => {
      const words = ["sh", "-c", EXEC_SCRIPT, "wisp", ...farWords(place, command)] as const;
      return sshTerminalArgv(options, farLine(words, true));
    },
    async destroy({ root }) {
      const ran = await scripts.run([DESTROY_SCRIPT, root], FAR_COPY_MS_MAX);
      if (!ran.ok) return ran;
      if (hasExit(ran.value.end, 0)) return ok(undefined);
      return fail(scripts.refused(ran.value.end, "its files could not be removed"));
    },
  };
}

type Ran = Result<{ readonly end: ProgramEnd; readonly stdout: string }, ExecutorFailure>;

/** Runs the scripts that are about a place as a whole. */
class SshScripts {
  readonly link: SshLink;
  readonly #host: ExecutorHost;
  readonly #options: SshOptions;

  constructor(host: ExecutorHost, options: SshOptions) {
    this.link = new SshLink(host, options);
    this.#host = host;
    this.#options = options;
  }

  async run([script, ...words]: readonly [string, ...string[]], timeoutMs: number): Promise<Ran> {
    const decoder = new TextDecoder();
    let stdout = "";
    const ran = await this.link.stream({
      argv: ["sh", "-c", script, "wisp", ...words],
      ...{ cwd: this.#host.cwd, env: this.#host.env, timeoutMs },
      onStdout: (bytes) => void (stdout += decoder.decode(bytes, { stream: true })),
    });
    if (!ran.ok) return ran;
    const failure = sshFailure(this.#options, ran.value);
    return failure === undefined ? ok({ end: ran.value, stdout }) : fail(failure);
  }

  async create(key: string): Promise<Result<Place, ExecutorFailure>> {
    assert(/^[A-Za-z0-9-]{1,60}$/.test(key), "a key is letters, digits and hyphens");
    const script = [CREATE_PLACE_SCRIPT, this.#options.root ?? "", key] as const;
    const ran = await this.run(script, FAR_COMMAND_MS_MAX);
    if (!ran.ok) return ran;
    const { end, stdout } = ran.value;
    const hint = hasExit(end, NETWORK_DISK_EXIT) ? LOCAL_DISK_HINT : undefined;
    if (!hasExit(end, 0)) return fail(this.refused(end, "a place could not be made", hint));
    // What a shell there says when it starts comes before.
    const root = stdout.trimEnd().split("\n").at(-1) ?? "";
    return ok({ id: `${this.#options.destination}:${root}`, root });
  }

  async isThere(root: string): Promise<Result<boolean, ExecutorFailure>> {
    const ran = await this.run([PLACE_STATE_SCRIPT, root], FAR_COMMAND_MS_MAX);
    if (!ran.ok) return ran;
    const { end } = ran.value;
    if (hasExit(end, 0) || hasExit(end, NO_PLACE_EXIT)) return ok(hasExit(end, 0));
    return fail(this.refused(end, "it does not tell whether the place is there"));
  }

  /** The failure behind an end of ssh; a directory or file that is missing may mean that the whole place is. */
  async failureOf({ id, root }: Place, end: ProgramEnd): Promise<ExecutorFailure | undefined> {
    const failure = sshFailure(this.#options, end);
    if (failure !== undefined) return failure;
    if (!hasExit(end, NO_DIRECTORY_EXIT) && !hasExit(end, NO_FILE_EXIT)) return undefined;
    const isThere = await this.isThere(root);
    if (!isThere.ok || isThere.value) return undefined;
    return PlaceGone({ executor: this.#options.name, place: id });
  }

  refused(end: ProgramEnd, otherwise: string, hint?: string): ExecutorFailure {
    const { name: executor } = this.#options;
    if (end.kind === "timed-out") {
      return ExecutorUnreachable({ executor, detail: "no answer within the time limit" });
    }
    const said = lastLine(end.stderr);
    return ExecutorRefused({ executor, detail: said === "" ? otherwise : said, hint });
  }
}

function hasExit(end: ProgramEnd, exitCode: number): boolean {
  return end.kind === "exited" && end.exitCode === exitCode;
}

function withoutMark(end: ProgramEnd): ProgramEnd {
  return { ...end, stderr: stderrOf255(end.stderr) ?? end.stderr };
}
