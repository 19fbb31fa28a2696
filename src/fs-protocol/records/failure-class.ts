import { z } from "zod";

/**
 * Why a turn failed, by what can be done about it.
 *
 * - `auth`: a person has to log in or give a key.
 * - `limited`: a rate or usage limit, or no credit; another engine may do.
 * - `overloaded`, `network`: the same turn may succeed a little later.
 * - `context-too-long`: only a fresh session, or a smaller prompt, helps.
 * - `no-session`: the session to resume is not there: start a fresh one.
 * - `hang`: it said nothing, or did not end, for too long.
 * - `refused-permission`: its permission rules let it do nothing.
 * - `unseen`: it answered about a change that it cannot have seen: no call that read it succeeded.
 * - `gibberish`: it ended well, but its output is not that of the CLI, or empty.
 * - `crash`: all the rest.
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
