import { cleanText } from "../../base/words/clean-text.ts";
import { numberedList } from "../../session/rules/revision-request.ts";
import type { World } from "../../workspace/world.ts";

/** Asks a person for lines. */
interface Asking {
  readonly ask: NonNullable<World["ask"]>;
}

/** Maximum length of one problem. Longer texts belong in a file that the problem names. */
export const PROBLEM_CHARS_MAX = 10_000;
export const PROBLEMS_MAX = 100;

/**
 * Asks for problems one at a time, and shows them back until they are confirmed (seed 000, US-002).
 *
 * @returns undefined if the person left
 */
export async function collectProblems(
  { ask }: Asking,
  say: (text: string) => void,
): Promise<readonly string[] | undefined> {
  for (;;) {
    const problems = await askForProblems({ ask }, say);
    if (problems === undefined) return undefined;
    say(problemsText(problems));
    const isRight = await askYesOrNo(
      { ask },
      "Continue with these? (yes / or no, to start over): ",
    );
    if (isRight === undefined) return undefined;
    if (isRight) return problems;
  }
}

/** Asks again unless the answer is yes or no; Enter alone is yes. Undefined if the person left. */
async function askYesOrNo({ ask }: Asking, question: string): Promise<boolean | undefined> {
  for (;;) {
    const answer = await ask(question);
    if (answer === undefined) return undefined;
    if (/^\s*(?:y(?:es)?)?\s*$/iu.test(answer)) return true;
    if (/^\s*no?\s*$/iu.test(answer)) return false;
  }
}

async function askForProblems(
  { ask }: Asking,
  say: (text: string) => void,
): Promise<readonly string[] | undefined> {
  const problems: string[] = [];
  for (;;) {
    const line = await ask("Describe a problem (or press Enter to finish): ");
    if (line === undefined) return undefined;
    const problem = cleanProblem(line);
    if (problem !== "") problems.push(problem);
    else if (problems.length > 0) return problems;
    else say("At least one problem is required");
  }
}

/** A problem as it is stored in records and prompts; truncated if too long. */
export function cleanProblem(text: string): string {
  return cleanText(text, { charsMax: PROBLEM_CHARS_MAX, lines: "many" }).trim();
}

/** The list as it is shown back. */
export function problemsText(problems: readonly string[]): string {
  const list = numberedList(problems).replace(/^/gmu, "  ");
  return `Problems:\n${list}`;
}
