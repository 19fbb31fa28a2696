import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { attempt, type Errno, errnoOf } from "../system/errno.ts";
import { isDead, readProcStat } from "./process-identity.ts";

/** The number of scans after which a process without an environment is assumed to have none. */
const SCANS_OF_ZOMBIE = 2;
/** `exec` sets the arguments right before the environment, so a process with arguments should have one soon. */
const SCANS_WITH_ARGUMENTS = 2;
const SCANS_OF_LIVING = 10;

/** The result of one scan of all processes. */
export interface ProcessScan {
  /** The processes, except ourselves, that carry a marker in their environment. */
  readonly carriers: readonly number[];
  readonly doubt: Doubt;
}

/** Also says which marker each of them carries, the first of several. */
export interface EnvironmentScan extends ProcessScan {
  readonly markerOf: ReadonlyMap<number, string>;
}

/**
 * Why a scan may have missed a process: one `ended` meanwhile, which an immediate second scan settles, or one may
 * be `starting`, which needs a moment.
 */
export type Doubt = "none" | "ended" | "starting";

const UID = process.geteuid?.();

type Environment = { readonly marker: string } | "unmarked" | "none" | "vanished";

/**
 * Finds processes by a variable in their environment, through `/proc/<pid>/environ`.
 *
 * Two races would let a process escape a single scan, so a scan reports when it met one. First, a process that
 * ended between being listed and being read may have forked in between. Second, during an `exec` a living process
 * shows no environment. Zombies and processes with an empty environment never show one, so the number of scans
 * without one is counted for each process.
 */
export class RunEnvironments {
  readonly #buffer = Buffer.allocUnsafe(256 * 1024);
  #scansWithout = new Map<number, number>();
  /** The processes that the previous scan read and found without any marker. */
  #unmarked: ReadonlySet<number> = new Set();
  #markers: readonly string[] = [];

  /** Starts a new search: pids may have been reused since the last one. */
  begin(): void {
    this.#unmarked = new Set();
  }

  /** Scans every process once for any of the markers, each a complete `NAME=value`. */
  scan(...markers: readonly string[]): EnvironmentScan {
    const markerOf = new Map<number, string>();
    const doubts = new Set<Doubt>();
    const scansWithout = new Map<number, number>();
    const unmarked = new Set<number>();
    // A different search may have run between two scans of this one.
    const isSame = markers.join("\0") === this.#markers.join("\0");
    const known = isSame ? this.#unmarked : new Set<number>();
    for (const pid of listPids()) {
      if (pid === process.pid) continue;
      const environment = this.#environmentOf(pid, markers);
      if (typeof environment === "object") markerOf.set(pid, environment.marker);
      if (environment === "unmarked") unmarked.add(pid);
      // Processes without a marker, as a build starts and ends all the time, had no child of ours.
      if (environment === "vanished" && !known.has(pid)) doubts.add("ended");
      if (environment === "none") {
        const scans = (this.#scansWithout.get(pid) ?? 0) + 1;
        scansWithout.set(pid, scans);
        doubts.add(doubtAbout(pid, scans));
      }
    }
    this.#scansWithout = scansWithout;
    this.#unmarked = unmarked;
    this.#markers = markers;
    const doubt = doubts.has("starting") ? "starting" : doubts.has("ended") ? "ended" : "none";
    return { carriers: [...markerOf.keys()], markerOf, doubt };
  }

  #environmentOf(pid: number, markers: readonly string[]): Environment {
    // Only root can read other users' environments; checking the owner is cheaper than a refusal.
    const owner = UID === 0 ? UID : ownerOf(pid);
    if (owner === undefined) return "vanished";
    if (owner !== UID) return "unmarked";
    try {
      const variables = this.#read(pid);
      if (variables.length === 0) return "none";
      const marker = markers.find((one) => holds(variables, `${one}\0`));
      return marker === undefined ? "unmarked" : { marker };
    } catch (thrown) {
      return environmentRefused(pid, errnoOf(thrown));
    }
  }

  #read(pid: number): Buffer {
    const path = `/proc/${pid}/environ`;
    const fd = openSync(path, "r");
    try {
      const length = readSync(fd, this.#buffer, 0, this.#buffer.length, 0);
      return length < this.#buffer.length ? this.#buffer.subarray(0, length) : readFileSync(path);
    } finally {
      closeSync(fd);
    }
  }
}

function environmentRefused(pid: number, errno: Errno | undefined): Environment {
  if (errno === "ENOENT") return "vanished";
  // A process without memory is refused with ESRCH or, because it then counts as root's, with EACCES.
  return errno === "ESRCH" || ownerOf(pid) === UID ? "none" : "unmarked";
}

/** The user of a process; `undefined` if it is gone. */
function ownerOf(pid: number): number | undefined {
  const found = attempt(() => statSync(`/proc/${pid}`, { throwIfNoEntry: false }));
  return found.ok ? found.value?.uid : undefined;
}

/** All current pids. */
export function listPids(): readonly number[] {
  // The other entries of /proc are words, which Number() turns into NaN.
  return readdirSync("/proc").map(Number).filter(Number.isSafeInteger);
}

/** A marker counts only at the start of a variable, not inside another's value. */
function holds(variables: Buffer, marker: string): boolean {
  let index = variables.indexOf(marker);
  while (index > 0 && variables[index - 1] !== 0) index = variables.indexOf(marker, index + 1);
  return index >= 0;
}

/** The doubt about a process whose environment was empty in this many scans. */
function doubtAbout(pid: number, scans: number): Doubt {
  if (scans > SCANS_OF_LIVING) return "none";
  const stat = readProcStat(pid);
  if (stat === undefined) return "ended";
  if (stat.isKernelThread) return "none";
  if (isDead(stat)) return scans < SCANS_OF_ZOMBIE ? "ended" : "none";
  const scansMax = hasArguments(pid) ? SCANS_WITH_ARGUMENTS : SCANS_OF_LIVING;
  return scans < scansMax ? "starting" : "none";
}

function hasArguments(pid: number): boolean {
  const read = attempt(() => readFileSync(`/proc/${pid}/cmdline`));
  return read.ok && read.value.length > 0;
}
