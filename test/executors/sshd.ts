import { execFile, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { SshOptions } from "../../src/executors/ssh/ssh-options.ts";
import { eventually } from "../rig/patience.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";

const run = promisify(execFile);

const SSHD = "/usr/sbin/sshd";
/** sshd becomes this user, in this directory, before it knows who logs in. */
const EMPTY_DIRECTORY = "/run/sshd";

/** What keeps a real sshd from being started here, or `undefined`. */
export function noSshd(): string | undefined {
  if (process.geteuid?.() !== 0) return "needs root";
  if (!existsSync(SSHD)) return "needs openssh-server";
  return ["ssh", "ssh-keygen", "ip"].some((program) => programAt(program) === undefined)
    ? "needs openssh-client and iproute2"
    : undefined;
}

/** The absolute path of a program, if it is installed. */
export function programAt(program: string): string | undefined {
  const folders = MACHINE_PATH.split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What a host is like. */
export interface SshdWishes {
  /** The login shell of its user. Absent: `/bin/sh`. */
  readonly shell?: string;
}

/**
 * A host with an sshd of its own, behind a link of its own: a network namespace, with a home and a user's shell that
 * only it sees.
 */
export class SshdHost {
  /** Everything of this host and of the way to it is in this folder. */
  readonly folder: string;
  readonly #name: string;
  readonly #subnet = `10.231.${String(randomInt(256))}`;
  readonly #base = randomInt(64) * 4;

  private constructor(folder: string, name: string) {
    this.folder = folder;
    this.#name = name;
  }

  /** Starts a host. */
  static async open({ shell = "/bin/sh" }: SshdWishes = {}): Promise<SshdHost> {
    const folder = await mkdtemp(join(tmpdir(), "wsh-"));
    const host = new SshdHost(folder, `wsh${randomBytes(4).toString("hex")}`);
    try {
      await host.#prepare(shell);
      await host.#connect();
      await host.start();
    } catch (error) {
      await host.close();
      throw error;
    }
    return host;
  }

  get address(): string {
    return `${this.#subnet}.${String(this.#base + 2)}`;
  }

  /** The home of its user. */
  get home(): string {
    return join(this.folder, "home");
  }

  /** How an executor is told of it. */
  options(more: Partial<SshOptions> = {}): SshOptions & { readonly arguments: readonly string[] } {
    const config = ["-F", join(this.folder, "ssh_config")];
    return {
      ...{ name: "ssh:far", destination: "far", control: join(this.folder, "c") },
      ...more,
      arguments: more.arguments ?? config,
    };
  }

  /** Starts its sshd, as when the host starts. */
  async start(): Promise<void> {
    const script = `mount --bind "$1/passwd" /etc/passwd && exec ${SSHD} -D -f "$1/sshd_config" -E "$1/log"`;
    const inside = ["netns", "exec", this.#name, "sh", "-c", script, "sh", this.folder];
    const sshd = spawn("ip", inside, { stdio: "ignore", detached: true, env: {} });
    sshd.unref();
    await eventually(async () => {
      expect(await this.#log()).toContain("Server listening");
      await run("ssh", ["-F", join(this.folder, "ssh_config"), "far", "true"]);
    });
  }

  /** Ends everything that runs there at once, as when the power is cut. */
  async stop(): Promise<void> {
    await eventually(async () => {
      const pids = await this.#pids();
      pids.forEach(kill);
      expect(pids).toEqual([]);
    });
    await rm(join(this.folder, "log"), { force: true });
  }

  /** Ends the processes of sshd that serve a connection, and nothing else. */
  async killConnections(): Promise<void> {
    const pids = await this.#pids();
    const titles = await Promise.all(pids.map((pid) => commandLineOf(pid)));
    const serving = pids.filter((_pid, at) => titles[at]?.startsWith("sshd: root") === true);
    expect(serving).not.toEqual([]);
    serving.forEach(kill);
  }

  /** Lets nothing through any more, without a word to either side, or lets everything through again. */
  async setLink(state: "up" | "down"): Promise<void> {
    await run("ip", ["-n", this.#name, "link", "set", "far", state]);
  }

  /** Takes away the way there, so that whoever calls hears at once that there is none, or gives it back. */
  async setRoute(state: "lost" | "there"): Promise<void> {
    const change = state === "lost" ? "add" : "del";
    await run("ip", ["route", change, "unreachable", this.address]);
    if (state === "lost") (await this.masters()).forEach(kill);
  }

  /** The process ids here that hold a shared connection open. */
  async masters(): Promise<readonly number[]> {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
    const lines = await Promise.all(pids.map((pid) => commandLineOf(pid)));
    const isOurs = (line = "") => line.startsWith("ssh: ") && line.includes(`${this.folder}/`);
    return pids.filter((_pid, at) => isOurs(lines[at]));
  }

  /** The command lines of everything that runs there. */
  async commandLines(): Promise<readonly string[]> {
    return Promise.all((await this.#pids()).map((pid) => commandLineOf(pid)));
  }

  /** Starts its sshd again with more lines in its configuration. */
  async configure(lines: readonly string[]): Promise<void> {
    await this.stop();
    await writeFile(join(this.folder, "sshd_config"), this.#sshdConfig(lines));
    await this.start();
  }

  /** Changes the file of the host keys that are known here. */
  async setKnownKey(line: string): Promise<void> {
    await writeFile(join(this.folder, "known"), line);
  }

  /** Gives it another name here, with more lines of configuration. */
  async addHost(name: string, lines: readonly string[]): Promise<void> {
    const config = this.#sshConfig().replace("Host far", `Host ${name}`);
    const more = lines.map((line) => `  ${line}\n`).join("");
    await appendFile(join(this.folder, "ssh_config"), `${config}${more}`);
  }

  /** Makes a pair of keys, and returns the public one. */
  async makeKey(name: string): Promise<string> {
    const path = join(this.folder, name);
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path]);
    return (await readFile(`${path}.pub`, "utf8")).trim();
  }

  /** Ends and removes everything. */
  async close(): Promise<void> {
    const hasNamespace = (await run("ip", ["netns", "list"])).stdout.includes(this.#name);
    if (hasNamespace) await this.stop();
    (await this.masters()).forEach(kill);
    if (hasNamespace) await run("ip", ["netns", "del", this.#name]);
    await run("ip", ["route", "del", "unreachable", this.address]).catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #prepare(shell: string): Promise<void> {
    await mkdir(EMPTY_DIRECTORY, { recursive: true, mode: 0o755 });
    await mkdir(this.home);
    const hostKey = await this.makeKey("host");
    await writeFile(join(this.folder, "authorized"), `${await this.makeKey("user")}\n`);
    await this.setKnownKey(`${this.address} ${hostKey}\n`);
    const others = (await readFile("/etc/passwd", "utf8")).split("\n").slice(1).join("\n");
    const root = `root:x:0:0:root:${this.home}:${shell}`;
    await writeFile(join(this.folder, "passwd"), `${root}\n${others}`);
    await writeFile(join(this.folder, "sshd_config"), this.#sshdConfig([]));
    await writeFile(join(this.folder, "ssh_config"), this.#sshConfig());
  }

  #sshdConfig(more: readonly string[]): string {
    return [
      `ListenAddress ${this.address}`,
      `HostKey ${join(this.folder, "host")}`,
      `AuthorizedKeysFile ${join(this.folder, "authorized")}`,
      `PidFile ${join(this.folder, "pid")}`,
      ...["StrictModes no", "UsePAM no", "PasswordAuthentication no", "UseDNS no"],
      ...["PermitRootLogin prohibit-password", "LogLevel VERBOSE", "Subsystem sftp internal-sftp"],
      // As an installed one is: the tests are not about who else knocks.
      ...["PrintMotd no", "MaxStartups 100", ...more, ""],
    ].join("\n");
  }

  #sshConfig(): string {
    return [
      "Host far",
      `  HostName ${this.address}`,
      `  UserKnownHostsFile ${join(this.folder, "known")}`,
      `  GlobalKnownHostsFile /dev/null`,
      `  IdentityFile ${join(this.folder, "user")}`,
      ...["  User root", "  IdentitiesOnly yes", ""],
    ].join("\n");
  }

  async #connect(): Promise<void> {
    const far = ["peer", "name", "far", "netns", this.#name];
    await run("ip", ["netns", "add", this.#name]);
    await run("ip", ["link", "add", this.#name, "type", "veth", ...far]);
    const here = `${this.#subnet}.${String(this.#base + 1)}/30`;
    await run("ip", ["addr", "add", here, "dev", this.#name]);
    await run("ip", ["link", "set", this.#name, "up"]);
    await run("ip", ["-n", this.#name, "addr", "add", `${this.address}/30`, "dev", "far"]);
    await run("ip", ["-n", this.#name, "link", "set", "lo", "up"]);
    await this.setLink("up");
  }

  async #pids(): Promise<readonly number[]> {
    const { stdout } = await run("ip", ["netns", "pids", this.#name]);
    return stdout.split("\n").filter(Boolean).map(Number);
  }

  async #log(): Promise<string> {
    return readFile(join(this.folder, "log"), "utf8").catch(() => "");
  }
}

async function commandLineOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${String(pid)}/cmdline`, "utf8").catch(() => "");
  return line.replaceAll("\0", " ");
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}
