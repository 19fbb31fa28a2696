import { NODE_VERSION, PLATFORM, temporaryDirectory } from "../../host/system/this-machine.ts";
import { CODING_CLIS } from "../../engines/coding-clis.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { GIT_VERSION_MIN, gitVersion, isAtLeast } from "../../git/command/git-version.ts";
import { askProgram, type ProgramAnswer } from "../../host/processes/ask-program.ts";
import { probeInotify } from "../../host/probe/probe-inotify.ts";
import { probeNamespaces } from "../../host/probe/probe-namespaces.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { failed, fine, skipped, warn, type Check } from "./doctor-check.ts";
import { diskChecks } from "./doctor-disk.ts";
import { bubblewrapProbe } from "../../sandbox/bubblewrap.ts";
import { systemFacts } from "../../workspace/sandbox-program.ts";
import {
  installWords,
  namespacesWords,
  newerGitWords,
  newerNodeWords,
  systemWords,
  wslVersion,
  type SystemFacts,
} from "../../workspace/install-words.ts";

/** The same as in package.json; importing that file would add to every start of wisp. */
export const NODE_VERSION_MIN = "20.19";
/** How long to wait for a program's answer. */
const PROBE_MS_MAX = 5_000;
/** Where the helper of leases is looked for besides PATH, as in `src/host/locks/kernel-lock.ts`. */
const USUAL_DIRECTORIES = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin";
const ENGINES = CODING_CLIS.map(({ executable }) => executable);
/** Four roles and a supervisor watch a handful of folders each. */
const INSTANCES_SPARE_MIN = 10;
const WATCHES_SPARE_MIN = 100;

type Machine = Pick<World, "host" | "env" | "cwd">;

/** What matters to wisp about the machine, most important first. */
export async function machineChecks(world: Machine): Promise<readonly Check[]> {
  const system = systemFacts(world.host);
  const [git, flock, sandbox, engines] = await Promise.all([
    checkGit(world, system),
    checkFlock(world, system),
    checkSandbox(world, system),
    Promise.all(ENGINES.map((name) => checkEngine(world, name))),
  ]);
  return [
    checkSystem(system),
    checkNode(system),
    git,
    flock,
    sandbox,
    checkNamespaces(system),
    checkInotify(),
    ...diskChecks([["temporary files", temporaryDirectory()]]),
    ...summed(engines),
  ];
}

function checkSystem(system: SystemFacts): Check {
  const what = systemWords(system);
  if (wslVersion(system) !== 1) return fine("system", what);
  const fix = "In Windows: wsl --set-version <distribution> 2";
  return warn("system", `${what}, which has no user namespaces and so no sandbox`, fix);
}

function checkNode(system: SystemFacts): Check {
  return isAtLeast(NODE_VERSION, NODE_VERSION_MIN)
    ? fine("node", `node ${NODE_VERSION}`)
    : failed("node", `node ${NODE_VERSION} is too old`, newerNodeWords(system, NODE_VERSION_MIN));
}

async function checkGit(world: Machine, system: SystemFacts): Promise<Check> {
  const git = await gitVersion(gitContext(world), world.cwd);
  if (git.kind === "missing")
    return failed("git", "git cannot be started", installWords(system, "git"));
  const fix = newerGitWords(system, GIT_VERSION_MIN);
  return git.isEnough
    ? fine("git", `git ${git.version}`)
    : failed("git", `git ${git.version} is too old to publish without leaving traces`, fix);
}

async function checkFlock({ env, cwd }: Machine, system: SystemFacts): Promise<Check> {
  const held = fine("flock", "the kernel holds the leases");
  // On this platform the kernel needs no helper.
  if (PLATFORM === "darwin") return held;
  const path = [env["PATH"] ?? "", USUAL_DIRECTORIES].join(":");
  const options = { cwd, env: { PATH: path }, timeoutMs: PROBE_MS_MAX };
  const probe = await askProgram(["flock", "--version"], options);
  if (probe.kind !== "absent") return held;
  const what = "flock(1) is not installed: leases are sockets, which a shell cannot take";
  return warn("flock", what, installWords(system, "util-linux"));
}

async function checkSandbox({ env, cwd }: Machine, system: SystemFacts): Promise<Check> {
  if (PLATFORM !== "linux") return skipped("bubblewrap", "bubblewrap is for Linux");
  const tried = await askProgram(bubblewrapProbe("bwrap"), {
    cwd,
    env: pathOf(env),
    timeoutMs: PROBE_MS_MAX,
  });
  const plain = "only their own settings confine engines";
  if (tried.kind === "absent") {
    const fix = `Install it: ${installWords(system, "bubblewrap")}`;
    return warn("bubblewrap", `bubblewrap is not installed: ${plain}`, fix);
  }
  if (tried.kind === "exited" && tried.exitCode === 0) return checkLoopback(env, cwd);
  const says = tried.kind === "exited" ? firstLine(tried.stderr) : "no answer";
  const refused = probeNamespaces();
  const fix =
    refused.kind === "refused"
      ? namespacesWords(system, refused)
      : "Allow unprivileged user namespaces; in a container, that is for the host to allow.";
  return warn("bubblewrap", `bubblewrap does not work (${says}): ${plain}`, fix);
}

/** Whether bubblewrap, which works, can also give a command a loopback of its own. */
async function checkLoopback(env: Machine["env"], cwd: string): Promise<Check> {
  const argv = bubblewrapProbe("bwrap", "none");
  const tried = await askProgram(argv, { cwd, env: pathOf(env), timeoutMs: PROBE_MS_MAX });
  if (tried.kind === "exited" && tried.exitCode === 0)
    return fine("bubblewrap", "bubblewrap works");
  const says = tried.kind === "exited" ? firstLine(tried.stderr) : "no answer";
  const what = `bubblewrap works, but cannot give verify a loopback of its own (${says}): ports that others hold can make it red`;
  return warn("bubblewrap", what, "Name variables with ports in commands.slot: docs/SETTINGS.md.");
}

function checkNamespaces(system: SystemFacts): Check {
  const namespaces = probeNamespaces();
  switch (namespaces.kind) {
    case "unknown":
      return skipped("namespaces", "user namespaces are for Linux");
    case "allowed":
      return fine("namespaces", "unprivileged user namespaces are allowed");
    case "refused": {
      const { setting, value } = namespaces;
      const what = `unprivileged user namespaces are refused (${setting} = ${value})`;
      return warn("namespaces", what, namespacesWords(system, namespaces));
    }
  }
}

function checkInotify(): Check {
  const inotify = probeInotify();
  if (inotify === undefined) return skipped("inotify", "inotify is for Linux");
  const { watchesMax, instancesMax, watchesUsed, instancesUsed } = inotify;
  const what =
    `file events: ${String(instancesUsed)} of ${String(instancesMax)} instances, ` +
    `${String(watchesUsed)} of ${String(watchesMax)} watches in use`;
  if (instancesMax - instancesUsed < INSTANCES_SPARE_MIN) {
    return warn("inotify", `${what}: wisp checks files periodically instead`, raise("instances"));
  }
  if (watchesMax - watchesUsed < WATCHES_SPARE_MIN) {
    return warn("inotify", `${what}: wisp checks files periodically instead`, raise("watches"));
  }
  return fine("inotify", what);
}

function raise(what: "instances" | "watches"): string {
  return `sudo sysctl fs.inotify.max_user_${what}=${what === "instances" ? "512" : "524288"}`;
}

async function checkEngine({ env, cwd }: Machine, name: string): Promise<Check | undefined> {
  const probe = await askProgram([name, "--version"], { cwd, env, timeoutMs: PROBE_MS_MAX });
  if (probe.kind === "absent") return undefined;
  if (probe.kind === "exited" && probe.exitCode === 0) {
    return fine(`engine.${name}`, `found ${name}: ${firstLine(probe.output)}`);
  }
  return warn(
    `engine.${name}`,
    `${name} is installed, but ${troubleOf(probe)}`,
    `${name} --version`,
  );
}

function troubleOf(probe: ProgramAnswer): string {
  if (probe.kind !== "exited")
    return `did not print its version within ${String(PROBE_MS_MAX / 1000)} s`;
  return `printed its version with exit code ${String(probe.exitCode)}: ${firstLine(probe.output)}`;
}

/** Finding none is not a failure: any command can be an engine. */
function summed(engines: readonly (Check | undefined)[]): readonly Check[] {
  const found = engines.filter((check) => check !== undefined);
  if (found.length > 0) return found;
  return [
    skipped(
      "engine",
      `none of ${ENGINES.join(", ")} was found; any command can be the engine. To install one: ` +
        CODING_CLIS.map(({ install }) => install).join("; "),
    ),
  ];
}

/** The environment of bubblewrap; every process inside can read it, so it holds only PATH. */
function pathOf(env: World["env"]): Readonly<Record<string, string>> {
  return { PATH: env["PATH"] ?? "" };
}

function firstLine(output: string): string {
  const [line = ""] = output.trim().split("\n");
  return cleanText(line, { charsMax: 100, lines: "one" });
}
