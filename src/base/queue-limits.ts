/** The requests of one start; and the size of a file of the queue that is not a request. */
export const QUEUED_REQUESTS_MAX = 500;
export const QUEUE_FILE_BYTES_MAX = 64 * 1024;
/** How many starts of which nothing is left to do are kept on record. */
export const QUEUE_FLEETS_KEPT_MAX = 50;
/** How many sessions of a queue are being created at the same time. */
export const QUEUE_STARTS_AT_ONCE_MAX = 4;
/** How often a queue is looked at, and how often a place that waits in another queue. */
export const QUEUE_LOOK_MS = 1_000;
export const QUEUE_PLACE_LOOK_MS = 5_000;
/** How often the sessions are looked at that a queue waits for, and how often one is taken up whose processes were killed. */
export const QUEUE_KILLED_LOOK_MS = 10_000;
export const QUEUE_TAKEN_UP_MAX = 3;
/** How often a start is tried on an executor that refuses or cannot be reached, and the delay between the attempts. */
export const QUEUE_TRIES_MAX = 12;
export const QUEUE_BACKOFF_MS_MIN = 5_000;
export const QUEUE_BACKOFF_MS_MAX = 10 * 60_000;
/** How long `wisp start` waits until all of its requests were tried once. */
export const QUEUE_WAIT_MS_MAX = 10 * 60_000;
