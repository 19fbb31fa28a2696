import { z } from "zod";

/**
 * Why a turn failed, by what can be done about it.
 *
 * - `auth`: a person has to log in or provide a key.
 * - `limited`: a rate or usage limit, or no credit; another engine may work.
 * - `overloaded`, `network`: the same turn may succeed a little later.
 * - `context-too-long`: only a fresh session, or a smaller prompt, helps.
 * - `no-session`: the session to resume does not exist: start a fresh one.
 * - `hang`: the engine printed nothing, or did not end, for too long.
 * - `refused-permission`: its permission rules did not let it do anything.
 * - `unseen`: it answered about a change that it cannot have seen, since no call that read the
 *   change succeeded.
 * - `gibberish`: it exited normally, but its output is empty or not that of the CLI.
 * - `crash`: everything else.
 */
export const FailureClass = z.enum([
  "auth",
  "limited",
  "overloaded",
  "network",
  "context-too-long",
  "no-session",
  "hang",
  "refused-permission",
  "unseen",
  "gibberish",
  "crash",
]);
export type FailureClass = z.infer<typeof FailureClass>;

/**
 * How the class of a failure was recognized: by an event of the engine's own, by an HTTP status, or by nothing but
 * words among what it printed, which may be those of something else.
 */
export const FailureEvidence = z.enum(["event", "status", "words"]);
export type FailureEvidence = z.infer<typeof FailureEvidence>;
