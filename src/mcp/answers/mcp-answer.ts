import { EXIT } from "../../base/exit-code.ts";
import { CannotGoOn, type WorldFailure } from "../../base/fatal.ts";
import type { Answer } from "../actions.ts";
import type { World } from "../../workspace/world.ts";
import { explain, type Explanation } from "../../base/explain.ts";
import {
  readWork,
  StaleDiff,
  type FinishedWork,
  type WorkWords,
} from "../../workspace/finished/finished-work.ts";
import { toolWords, withTools } from "./tool-words.ts";

/** The context of a tool: nobody can be asked, and messages are collected. */
export interface ToolWorld extends World {
  /** The collected messages, in order. */
  readonly messages: readonly string[];
}

/**
 * A successful answer, as text and as an object. Some clients show their model only the object, so
 * it contains the text too, unless `data` has its own `says`.
 */
export function succeeded(text: string, data: Answer["data"]): Answer {
  return { text, data: { says: text, ...data }, isError: false };
}

/**
 * The answer if nothing was done. It includes the current diff id, so that a client that reviewed
 * another diff reads the work again.
 */
export function refused(failure: WorldFailure, work?: FinishedWork): Answer {
  const now = StaleDiff.is(failure) ? failure.now : work?.diffId;
  return explained(failure.kind === "lease-held" ? BUSY : explain(failure), now);
}

/**
 * For concurrent requests: the holder of the lease is another client's server, which must not be
 * stopped.
 */
const BUSY: Explanation = {
  code: "lease-held",
  message: "Another request for this session is in progress. Nothing was done.",
  hint: "Try again in a moment.",
  details: [],
  next: [],
  exitCode: EXIT.failure,
};

/** Runs a tool; a refusal is returned as an answer, not thrown. */
export async function asTool(
  world: World,
  run: (world: ToolWorld) => Promise<Answer>,
): Promise<Answer> {
  const messages: string[] = [];
  const tell = (text: string) => void messages.push(text);
  return answered(() => run({ ...world, ask: undefined, tell, messages }), undefined);
}

/** Runs an action on the work in its current state. */
export async function withWork(
  world: ToolWorld,
  words: WorkWords,
  run: (work: FinishedWork) => Promise<Answer>,
): Promise<Answer> {
  const work = await readWork(world, words);
  return answered(() => run(work), work);
}

async function answered(
  run: () => Promise<Answer>,
  work: FinishedWork | undefined,
): Promise<Answer> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof CannotGoOn)) throw thrown;
    return refused(thrown.failure, work);
  }
}

/**
 * An explanation with tools instead of commands; advice that only helps on a command line is left
 * out.
 */
function explained(explanation: Explanation, diffId: string | undefined): Answer {
  const { code } = explanation;
  const isUsage = code === "usage";
  const message = withTools(explanation.message);
  const hint = isUsage ? undefined : explanation.hint && withTools(explanation.hint);
  const next = isUsage ? [] : [...new Set(explanation.next.map(toolWords))];
  const details = isUsage ? [] : explanation.details;
  const indented = [...details, ...next].map((one) => `  ${one}`);
  const lines = [message, ...(hint === undefined ? [] : [hint]), ...indented];
  const error = { code, message, hint, details, next };
  return { text: lines.join("\n"), data: { error, diffId }, isError: true };
}
