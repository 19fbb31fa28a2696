import type { Environment } from "../../base/ports/processes.ts";

/** A program that runs containers. */
export interface ContainerEngineProgram {
  readonly name: "podman" | "docker";
  /** Its absolute path. */
  readonly path: string;
}

/** The user of a container's processes, as numbers of this machine. */
export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
}

/** How much the processes of a container may use. */
export interface ContainerLimits {
  readonly pids: number;
  readonly memoryBytes: number;
  /** Absent: all processors. */
  readonly cpus?: number | undefined;
}

/** A directory or file of this machine, and where it is in a container. */
export interface Bind {
  readonly from: string;
  readonly to: string;
  readonly isWritable: boolean;
}

/** Everything that decides how a command's container is made. */
export interface ContainerPlan {
  readonly program: ContainerEngineProgram;
  readonly image: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly user: ContainerUser;
  readonly limits: ContainerLimits;
  readonly hasNetwork: boolean;
  readonly cwd: string;
  readonly binds: readonly Bind[];
  readonly variables: readonly string[];
}

/** Where the first process of a container finds what the command reads as its standard input. */
export const CONTAINER_INPUT = "/run/wisp-input";

/**
 * `<input> <command…>`: the first process of a container. Its standard input is held open by the process that owns the
 * container: each line asks everything inside to end, and its end kills everything. The command runs in the foreground,
 * because a shell makes commands in the background deaf to interrupts. When this process ends, so does all inside.
 */
const FIRST_PROCESS_SCRIPT = `exec 3<&0 </dev/null
{ while read -r word <&3; do kill -s TERM -- -1; done; kill -s KILL -- -1; } >/dev/null 2>&1 &
input="$1"; shift
(exec "$@" <"$input" 3<&-)
exit $?`;

/** The words that run a command in a container, up to the command itself. */
export function containerWords(plan: ContainerPlan): readonly string[] {
  const { program, image, name, labels, limits, hasNetwork, cwd, binds, variables } = plan;
  return [
    ...[program.path, "run", "--rm", "--interactive", "--pull=never", "--name", name],
    ...Object.entries(labels).flatMap(([label, value]) => ["--label", `${label}=${value}`]),
    // What a command prints is in the session's own files, and must not end up in the journal too.
    ...["--log-driver", "none"],
    // Whoever stops it has asked before.
    ...["--stop-timeout", "1"],
    ...["--read-only", "--tmpfs", "/run:mode=1777", "--tmpfs", "/var/tmp:mode=1777"],
    ...lockedWords(plan),
    ...limitWords(limits),
    ...(hasNetwork ? [] : ["--network", "none"]),
    ...["--workdir", cwd],
    ...binds.flatMap((bind) => ["--mount", mountWord(bind)]),
    ...variables.flatMap((word) => ["--env", word]),
    ...["--entrypoint", "/bin/sh", image, "-c", FIRST_PROCESS_SCRIPT, "wisp", CONTAINER_INPUT],
  ];
}

/** What takes every right from a container's processes but those of the user outside. */
export function lockedWords({
  program,
  user: { uid, gid },
}: Pick<ContainerPlan, "program" | "user">): readonly string[] {
  // Without root, podman would otherwise make the user of this machine root inside.
  const isMapped = program.name === "podman" && uid !== 0;
  return [
    ...["--cap-drop", "all", "--security-opt", "no-new-privileges"],
    // Files of the session keep their labels: SELinux would otherwise want all of them changed.
    ...["--security-opt", "label=disable"],
    ...(isMapped ? ["--userns", "keep-id"] : []),
    ...["--user", `${String(uid)}:${String(gid)}`],
  ];
}

function limitWords({ pids, memoryBytes, cpus }: ContainerLimits): readonly string[] {
  return [
    ...["--pids-limit", String(pids), "--memory", `${String(memoryBytes)}b`],
    ...(cpus === undefined ? [] : ["--cpus", String(cpus)]),
  ];
}

function mountWord({ from, to, isWritable }: Bind): string {
  const word = `type=bind,source=${from},destination=${to}`;
  // Below a place that is only read, what else is mounted there would stay writable.
  return isWritable ? word : `${word},readonly,bind-nonrecursive=true`;
}

/** Whether a path can be a part of `--mount`, in which commas and quotes have a meaning. */
export function isMountable(path: string): boolean {
  return !/[,"\n\r]/u.test(path);
}

/** Variables by which podman and docker find their own files and services. */
const OF_PROGRAM =
  /^(?:PATH|HOME|TMPDIR|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|CONTAINERS?_\w+|DOCKER_\w+)$/u;

/** How a command's variables get into its container. */
export interface ContainerEnvironment {
  /** The words of `--env`: names alone, so that no value is in an argument, or places with their value. */
  readonly words: readonly string[];
  /** What replaces the command's variables in the program that runs containers. */
  readonly env: Environment;
}

/**
 * Passes a command's variables by their names, with their values from the environment of the program that runs
 * containers. Those by which that program finds its own files keep the caller's values there; where a command has
 * another value, which is a path, the argument contains it. PATH is the image's.
 */
export function containerEnvironment(
  wanted: Environment,
  { caller, more }: { readonly caller: Environment; readonly more: readonly string[] },
): ContainerEnvironment {
  const names = Object.keys(wanted).filter((name) => /^[A-Za-z_]\w*$/u.test(name));
  const own = Object.entries(caller).filter(([name]) => OF_PROGRAM.test(name));
  // An empty value counts as none.
  const absent = names.filter((name) => OF_PROGRAM.test(name) && caller[name] === undefined);
  const words = names
    .filter((name) => name !== "PATH")
    .map((name) => {
      const isSame = !OF_PROGRAM.test(name) || caller[name] === wanted[name];
      return isSame ? name : `${name}=${wanted[name] ?? ""}`;
    });
  return {
    words: [...words, ...more.filter((name) => !names.includes(name))],
    env: { ...Object.fromEntries(absent.map((name) => [name, ""])), ...Object.fromEntries(own) },
  };
}
