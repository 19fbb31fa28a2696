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

/** What every tool is given: nobody is asked, and what is told is kept. */
export interface ToolWorld extends World {
  /** What was told, in order. */
  readonly told: readonly string[];
}

/**
 * Something to say, with the same as an object. Some clients show their model the object alone: so what is
 * said stands there, too, unless `data` puts it in its own words.
 */
export function said(text: string, data: Answer["data"]): Answer {
  return { text, data: { says: text, ...data }, isError: false };
}

/** Why nothing was done. What the work is now goes with it: whoever looked at another one looks again. */
export function refused(failure: WorldFailure, work?: FinishedWork): Answer {
  const now = StaleDiff.is(failure) ? failure.now : work?.diffId;
  return explained(failure.kind === "lease-held" ? BUSY : explain(failure), now);
}

/** Of two requests at the same time: who holds the place is another client's server, and nobody is to end it. */
const BUSY: Explanation = {
  code: "lease-held",
  message: "Another request for this session is in progress. Nothing was done.",
  hint: "Try again in a moment.",
  details: [],
  next: [],
  exitCode: EXIT.failure,
};

/** Runs a tool; what the world refuses is told, not thrown. */
export async function asTool(
  world: World,
  run: (world: ToolWorld) => Promise<Answer>,
): Promise<Answer> {
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  return answered(() => run({ ...world, ask: undefined, tell, told }), undefined);
}

/** Does something with work, as it is when the tool is called. */
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

/** With tools where people are shown commands; what helps at a command line alone is left out. */
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
