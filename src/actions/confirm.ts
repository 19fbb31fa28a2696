import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { World } from "../workspace/world.ts";

/** The question before something that cannot be undone. */
export interface Confirmation {
  /** Confirmed in advance, by `--yes`. */
  readonly isSure: boolean;
  readonly question: string;
  /** The command that does it without asking. */
  readonly command: string;
  /** What needs confirmation, when there is nobody to ask. */
  readonly why?: string | undefined;
}

interface Unsure {
  /** The command that does it without asking. */
  readonly command: string;
  /** What needs confirmation, where it is not obvious. */
  readonly why?: string | undefined;
}

/** A person was asked whether they are sure, and said no. */
export const Declined = refusal(
  "declined",
  EXIT.failure,
  ({ command }: Pick<Unsure, "command">) => [
    "You answered no. Nothing was done.",
    "To do it anyway:",
    command,
  ],
);

/** Something that cannot be undone was requested, and there is nobody to confirm it. */
export const Unconfirmed = refusal("unconfirmed", EXIT.inputNeeded, ({ command, why }: Unsure) => [
  why ?? "This cannot be undone, and there is nobody to confirm it.",
  "To do it anyway:",
  command,
]);

/** Asks the person to confirm: a no is a failure, and so is having nobody to ask. */
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
