import { fail, ok, type Result } from "../base/result.ts";
import type { Declined, Unconfirmed } from "./confirm-failures.ts";
import { promptLine } from "./prompt-line.ts";
import type { Terminal } from "./terminal.ts";

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

/** Has the person say that they are sure: a no is a failure, and so is that nobody is there to be asked. */
export async function confirm(
  { terminal }: { readonly terminal: Terminal },
  { isSure, question, command, why }: Confirmation,
): Promise<Result<void, Declined | Unconfirmed>> {
  if (isSure) return ok(undefined);
  if (!terminal.isInteractive) return fail({ kind: "unconfirmed", command, why });
  const line = await promptLine(question);
  const isYes = /^\s*y(?:es)?\s*$/iu.test(line ?? "");
  return isYes ? ok(undefined) : fail({ kind: "declined", command });
}
