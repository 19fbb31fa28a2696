import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { attempt, type Errno, errnoOf } from "../system/errno.ts";
import { isDead, readProcStat } from "./process-identity.ts";

/** Looks after which a process without an environment is taken to have none. */
const LOOKS_AT_ZOMBIE = 2;
/** `exec` sets the arguments right before the environment, so who has them will hardly get one. */
const LOOKS_WITH_ARGUMENTS = 2;
const LOOKS_AT_LIVING = 10;

/** What one look at all processes found. */
export interface ProcessScan {
  /** The processes, ourselves excepted, that carry a marker in their environment. */
  readonly carriers: readonly number[];
  readonly doubt: Doubt;
}

/**
 * Why a look may have left a process unseen: one `ended` meanwhile, which another look at once
 * settles, or one may be `starting`, which needs a moment.
 */
export type Doubt = "none" | "ended" | "starting";

const UID = process.geteuid?.();

type Environment = "marked" | "unmarked" | "none" | "vanished";

/**
 * Finds processes by a variable in their environment, through `/proc/<pid>/environ`.
 *
 * Two races would let a process slip through a single look, so a look says when it met one. A process
 * that ended between being listed and being read may have forked in between. And in the midst of an
 * `exec` a living process shows no environment; so do, for ever, those whose environment is empty and
 * zombies, which is why the number of looks that found none is remembered for each.
 */
export class RunEnvironments {
  readonly #buffer = Buffer.allocUnsafe(256 * 1024);
  #looksWithout = new Map<number, number>();
  /** Read in the look before, and without any of the markers. */
  #unmarked: ReadonlySet<number> = new Set();
  #markers: readonly string[] = [];

  /** A new search: numbers of processes may have been given anew since the last one. */
  begin(): void {
    this.#unmarked = new Set();
  }

  /** Looks once at every process for any of the markers, each a whole `NAME=value`. */
  look(...markers: readonly string[]): ProcessScan {
    const carriers: number[] = [];
    const doubts = new Set<Doubt>();
    const looksWithout = new Map<number, number>();
    const unmarked = new Set<number>();
    // Another search may have come between two looks of this one.
    const isSame = markers.join("\0") === this.#markers.join("\0");
    const known = isSame ? this.#unmarked : new Set<number>();
    for (const pid of listPids()) {
      if (pid === process.pid) continue;
      const environment = this.#environmentOf(pid, markers);
      if (environment === "marked") carriers.push(pid);
      if (environment === "unmarked") unmarked.add(pid);
      // What others start and end, as a build does all the time, had no child of ours.
      if (environment === "vanished" && !known.has(pid)) doubts.add("ended");
      if (environment === "none") {
        const looks = (this.#looksWithout.get(pid) ?? 0) + 1;
        looksWithout.set(pid, looks);
        doubts.add(doubtAbout(pid, looks));
      }
    }
    this.#looksWithout = looksWithout;
    this.#unmarked = unmarked;
    this.#markers = markers;
    const doubt = doubts.has("starting") ? "starting" : doubts.has("ended") ? "ended" : "none";
    return { carriers, doubt };
  }

  #environmentOf(pid: number, markers: readonly string[]): Environment {
    // Only root can read others' environments; a look at the owner is cheaper than a refusal.
    const owner = UID === 0 ? UID : ownerOf(pid);
    if (owner === undefined) return "vanished";
    if (owner !== UID) return "unmarked";
    try {
      const variables = this.#read(pid);
      if (variables.length === 0) return "none";
      const isMarked = markers.some((marker) => holds(variables, `${marker}\0`));
      return isMarked ? "marked" : "unmarked";
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
  // What has no memory (any more) is refused with ESRCH or, since it then counts as root's, EACCES.
  return errno === "ESRCH" || ownerOf(pid) === UID ? "none" : "unmarked";
}

/** The user of a process; `undefined` when it is gone. */
function ownerOf(pid: number): number | undefined {
  const found = attempt(() => statSync(`/proc/${pid}`, { throwIfNoEntry: false }));
  return found.ok ? found.value?.uid : undefined;
}

/** All process numbers there are. */
export function listPids(): readonly number[] {
  // The other entries of /proc are words, and Number() makes NaN of them.
  return readdirSync("/proc").map(Number).filter(Number.isSafeInteger);
}

/** A marker counts at the start of a variable only, not in the midst of another's value. */
function holds(variables: Buffer, marker: string): boolean {
  let index = variables.indexOf(marker);
  while (index > 0 && variables[index - 1] !== 0) index = variables.indexOf(marker, index + 1);
  return index >= 0;
}

/** What to think of a process in which so many looks have found no environment. */
function doubtAbout(pid: number, looks: number): Doubt {
  if (looks > LOOKS_AT_LIVING) return "none";
  const stat = readProcStat(pid);
  if (stat === undefined) return "ended";
  if (stat.isKernelThread) return "none";
  if (isDead(stat)) return looks < LOOKS_AT_ZOMBIE ? "ended" : "none";
  const looksMax = hasArguments(pid) ? LOOKS_WITH_ARGUMENTS : LOOKS_AT_LIVING;
  return looks < looksMax ? "starting" : "none";
}

function hasArguments(pid: number): boolean {
  const read = attempt(() => readFileSync(`/proc/${pid}/cmdline`));
  return read.ok && read.value.length > 0;
}
