import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { refusedWords } from "../../engines/events/call-words.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import type { EngineSetting } from "../../fs-protocol/home/session-json.ts";
import type { World } from "../../workspace/world.ts";
import { engineOf } from "../attach/open-engine.ts";

/** The result of a turn that probes whether an engine works. */
export interface EngineProbe {
  /** It ran the turn, and read the file that it was asked to read. */
  readonly works: boolean;
  /** It ran the turn: its login works. */
  readonly answers: boolean;
  /** Whether it can read the folder of a turn, which holds everything that a prompt names. */
  readonly readsFolder: boolean;
  /** Why it does not work; null if it does. */
  readonly reason: string | null;
}

/** An engine as a session would freeze it, and an absolute path at which nothing is: its scratch directory. */
export interface ProbedEngine extends Omit<EngineSetting, "turnTimeoutMs"> {
  readonly directory: string;
}

const PROBE_TIMEOUT_MS = 90_000;
const WORD_FILE = "word.txt";

/** The smallest possible probe: read one word from a file outside of an empty working directory. */
export async function probeEngine(
  world: World,
  { directory, ...setting }: ProbedEngine,
): Promise<EngineProbe> {
  const { files } = world.host;
  const folder = `${directory}-turn`;
  const file = join(folder, WORD_FILE);
  // The word cannot be guessed or known from elsewhere.
  const word = `w${randomBytes(8).toString("hex")}`;
  const made = [
    files.makeDirectory(directory),
    files.makeDirectory(folder),
    files.create(file, Buffer.from(`${word}\n`)),
  ].find((each) => !each.ok);
  if (made?.ok === false) return unanswered(made.failure.errno);
  const engine = engineOf(world, setting, `${directory}.tmp`);
  const outcome = await engine.turn({
    role: "reviewer",
    purpose: "review-commit",
    session: "probe",
    home: directory,
    unit: "probe",
    attempt: 1,
    ask: 1,
    prompt: `Read the file \`${file}\`. Answer with the one word that stands in it, and nothing else.`,
    cwd: directory,
    folder,
    outputBase: `${directory}-output`,
    runId: directory,
    timeoutMs: PROBE_TIMEOUT_MS,
    signal: new AbortController().signal,
  });
  return probeOf(outcome, word);
}

/** Interprets the outcome of a turn in which an engine was asked for this word. */
function probeOf(outcome: TurnOutcome, word: string): EngineProbe {
  const refused = refusedWords(outcome.denials ?? []);
  switch (outcome.kind) {
    case "ended": {
      if (outcome.text.includes(word)) return { ...WORKS };
      const why = refused === "" ? "its answer is not what the file says" : `refused: ${refused}`;
      const reason = `it did not read a file in the turn's folder: ${why}`;
      return { ...WORKS, works: false, readsFolder: false, reason };
    }
    case "failed": {
      // The model was reached and tried to answer.
      const answers = outcome.failure === "refused-permission";
      return { ...unanswered(outcome.reason), answers };
    }
    case "needs-input":
    case "blocked": {
      const asked = refused === "" ? "" : ` (refused: ${refused})`;
      return { ...unanswered(`${outcome.question}${asked}`), answers: true };
    }
    case "stopped":
      return unanswered("it was stopped");
  }
}

const WORKS = { works: true, answers: true, readsFolder: true, reason: null } as const;

function unanswered(reason: string): EngineProbe {
  return { works: false, answers: false, readsFolder: false, reason };
}
