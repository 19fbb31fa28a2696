import type { Files } from "../base/ports/files.ts";

/** Whether a coding CLI is logged in; `unknown` if it has no way to ask, or its answer is not understood. */
export type LoginState = "yes" | "no" | "unknown";

/** How a CLI ended that was asked about its login. */
export interface LoginAnswer {
  readonly exitCode: number;
  /** Both of its streams. */
  readonly output: string;
}

/** How to ask a coding CLI about its login, without a turn. */
export interface LoginQuestion {
  /** Its arguments. */
  readonly args: readonly string[];
  /** What its answer means. An answer in other words, such as that of another version, is `unknown`. */
  read(answer: LoginAnswer): LoginState;
  /** Whether its settings, or the arguments of its turns, choose a provider for which its login does not count. */
  readonly usesOther?:
    | ((
        files: Pick<Files, "read">,
        env: Readonly<Record<string, string>>,
        turnArgs: readonly string[],
      ) => boolean)
    | undefined;
}
