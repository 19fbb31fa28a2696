import { fail, ok, type Result } from "../base/result.ts";
import type { Cli } from "./cli.ts";
import type { Unconfirmed } from "./failures.ts";
import { promptLine } from "./prompt-line.ts";

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

/** Whether the person is sure. Where nobody is there to say so, that is told instead of asked. */
export async function confirm(
  { terminal }: Pick<Cli, "terminal">,
  { isSure, question, command, why }: Confirmation,
): Promise<Result<boolean, Unconfirmed>> {
  if (isSure) return ok(true);
  if (!terminal.isInteractive) return fail({ kind: "unconfirmed", command, why });
  const line = await promptLine(question);
  return ok(/^\s*y(?:es)?\s*$/iu.test(line ?? ""));
}
