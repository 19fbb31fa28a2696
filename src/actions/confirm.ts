import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { World } from "../workspace/world.ts";

/** What is asked before something that cannot be taken back. */
export interface Confirmation {
  /** Confirmed in advance, by `--yes`. */
  readonly isSure: boolean;
  readonly question: string;
  /** The command that does it without a question. */
  readonly command: string;
  /** What is to be confirmed, where nobody is there to be asked. */
  readonly why?: string | undefined;
}

interface Unsure {
  /** The command that does it without a question. */
  readonly command: string;
  /** What is to be confirmed, where it is not plain. */
  readonly why?: string | undefined;
}

/** A person was asked whether they are sure, and said no. */
export const Declined = refusal(
  "declined",
  EXIT.failure,
  ({ command }: Pick<Unsure, "command">) => [
    "You said no. Nothing was done.",
    "To do it all the same:",
    command,
  ],
);

/** Something that cannot be taken back was asked for, and nobody is there to confirm it. */
export const Unconfirmed = refusal("unconfirmed", EXIT.inputNeeded, ({ command, why }: Unsure) => [
  why ?? "That cannot be taken back, and nobody is there to confirm it.",
  "To do it all the same:",
  command,
]);

/** Has the person say that they are sure: a no is a failure, and so is that nobody is there to be asked. */
export async function confirm(
  { ask }: Pick<World, "ask">,
  { isSure, question, command, why }: Confirmation,
): Promise<Result<void, ReturnType<typeof Declined | typeof Unconfirmed>>> {
  if (isSure) return ok(undefined);
  if (ask === undefined) return fail(Unconfirmed({ command, why }));
  const line = await ask(question);
  const isYes = /^\s*y(?:es)?\s*$/iu.test(line ?? "");
  return isYes ? ok(undefined) : fail(Declined({ command }));
}
