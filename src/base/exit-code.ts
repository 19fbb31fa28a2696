/** The exit codes of every command, and of the processes that wisp starts. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  noSuchSession: 3,
  inputNeeded: 4,
  stuck: 5,
  leaseHeld: 6,
  interrupted: 130,
} as const;
