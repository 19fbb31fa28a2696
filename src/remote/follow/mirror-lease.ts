/** The lease of the process that follows a session, below `locks` in its mirror here. */
export const MIRROR_LEASE = "mirror.lock";
