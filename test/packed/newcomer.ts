import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { repositoryRoot } from "../tidy/repository.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const execute = promisify(execFile);

/** How a command ended that a newcomer typed. */
export interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Somebody who has nothing but the tarball: an empty home, an empty folder, Node with npm, git and what a system
 * has in `/usr/bin`. Neither the network nor this repository can help: npm is offline, and the folder is elsewhere.
 */
export class Newcomer implements AsyncDisposable {
  readonly #root: string;
  /** Absolute path of what `npm pack` made. */
  readonly tarball: string;

  private constructor(root: string, tarball: string) {
    this.#root = root;
    this.tarball = tarball;
  }

  /** Packs the built program, and moves in. */
  static async create(): Promise<Newcomer> {
    const root = await realpath(await mkdtemp(join(tmpdir(), "wisp-packed-")));
    for (const name of ["home", "empty", "tarball", "tmp"]) await mkdir(join(root, name));
    const argv = ["pack", "--ignore-scripts", "--pack-destination", join(root, "tarball")];
    await execute("npm", argv, { cwd: repositoryRoot });
    const [name = ""] = await readdir(join(root, "tarball"));
    return new Newcomer(root, join(root, "tarball", name));
  }

  /** A path in what is theirs. */
  at(...path: readonly string[]): string {
    return join(this.#root, ...path);
  }

  /** Types a command: without a terminal, and with `wisp` on the PATH as soon as it is installed. */
  async type(cwd: string, [program = "", ...words]: readonly string[]): Promise<Typed> {
    const path = [this.at("prefix", "bin"), dirname(process.execPath), "/usr/bin", "/bin"];
    const env = ownEnvironment({
      ...{ PATH: path.join(delimiter), HOME: this.at("home"), LANG: "C.UTF-8" },
      ...{ TMPDIR: this.at("tmp"), npm_config_offline: "true" },
    });
    const ended = execute(program, words, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    ended.child.stdin?.end();
    return ended.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => endOf(error),
    );
  }

  /** Types a command that must succeed. */
  async must(cwd: string, argv: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.type(cwd, argv);
    if (code !== 0) throw new Error(`${argv.join(" ")}: exit code ${code}\n${stdout}\n${stderr}`);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#root, { recursive: true, force: true });
  }
}

const Ended = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** What `execFile` rejects with when the command itself fails; anything else is thrown. */
function endOf(error: unknown): Typed {
  const ended = Ended.safeParse(error);
  if (!ended.success) throw error;
  return ended.data;
}
