// @ts-check

/**
 * What one process or session holds. Memory is what only it has, in MB; CPU is in ms per second while it waits.
 * @typedef {object} Held
 * @property {number} processes
 * @property {number} threads
 * @property {number} fds
 * @property {number} instances of inotify
 * @property {number} watches of inotify
 * @property {number} memoryMb
 * @property {number} idleCpu
 */

/**
 * A session that waits: supervisor and roles. Source: `npm run bench -- --only footprint`, the median of three runs,
 * which `docs/SCALING.md` describes; its idle CPU is that of `bench/RESULTS.md`, from a quiet machine.
 * @type {Held}
 */
export const SESSION = {
  processes: 5,
  threads: 55,
  fds: 120,
  instances: 5,
  watches: 10,
  memoryMb: 121,
  idleCpu: 1.29,
};

/** What a session at a place has beside it there: keeper and server of the mirror. Source: the same. @type {Held} */
export const AT_A_PLACE = {
  processes: 2,
  threads: 18,
  fds: 38,
  instances: 1,
  watches: 5,
  memoryMb: 42.0,
  idleCpu: 5.76,
};

/** The process here that follows a session elsewhere. Source: the same. @type {Held} */
export const FOLLOWER = {
  processes: 1,
  threads: 7,
  fds: 23,
  instances: 0,
  watches: 0,
  memoryMb: 22.1,
  idleCpu: 0.16,
};

/**
 * Turns. The whole CPU of ten tasks without engine and the project's commands, (4009 - 595) ms, over its turns,
 * 134 / 8.38; the gap between turns of the builder; the turns of `long-turns`. Source: `bench/RESULTS.md`.
 */
export const TURN = { cpuMs: 213, gapMs: 34.7, meanMs: 10_000 };

/** CPU of the two ends of a mirror for each turn of a builder that takes 1 s, in ms. Source: one run of `npm run bench -- --only footprint`. */
export const LINK = { followerCpuMs: 68.4, placeCpuMs: 77.3 };

/** How often a follower writes its sign of life, in ms (`BEAT_MS`), and the least that takes: one synced append. */
export const BEAT = { everyMs: 10_000, writeMs: 0.28 };

/**
 * The machine of the bench: cores, and the memory that is left beside one session (`bench/RESULTS.md`, sessions at
 * once); the others are what its kernel allows, in `/proc/sys/kernel/pid_max`, `fs/file-max` and
 * `fs/inotify/max_user_*`.
 */
export const MACHINE = {
  cores: 2,
  memoryMb: 23_487,
  threads: 32_768,
  fds: 2_466_177,
  instances: 128,
  watches: 192_536,
};

/** Commands over one shared connection that an ssh server allows if it is not told otherwise: `MaxSessions`. */
export const SSH_CHANNELS = 10;
