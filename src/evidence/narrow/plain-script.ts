import { z } from "zod";

/** A script of a package.json that is one plain command, and how more words reach it. */
export interface PlainScript {
  /** Variables that it sets, `NAME=value`. */
  readonly variables: readonly string[];
  readonly words: readonly string[];
  /** The call of the package manager with further words for the command, at its end. */
  readonly append: (added: readonly string[]) => readonly string[];
}

const Manifest = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** Whether a command line calls a script through a package manager. */
export function callsScript(argv: readonly string[]): boolean {
  return /^(?:npm|pnpm|yarn)$/.test(argv[0] ?? "");
}

/**
 * The command that a call such as `npm test` leads to; undefined if that is more than one plain command: with signs of a
 * shell, or with a script before or after it.
 *
 * @param manifest the text of the package.json beside it; undefined if there is none
 */
export function plainScript(
  argv: readonly string[],
  manifest: string | undefined,
): PlainScript | undefined {
  const call = scriptCall(argv);
  const scripts = manifest === undefined ? undefined : scriptsIn(manifest);
  const script = call && scripts?.get(call.script);
  if (call === undefined || scripts === undefined || script === undefined) return undefined;
  if (scripts.has(`pre${call.script}`) || scripts.has(`post${call.script}`)) return undefined;
  const words = plainWords(script);
  if (words === undefined) return undefined;
  const isAssigned = (word: string) => /^[A-Za-z_]\w*=/.test(word);
  const own = words[0] === "cross-env" ? words.slice(1) : words;
  const start = own.findIndex((word) => !isAssigned(word));
  if (start === -1) return undefined;
  return {
    variables: own.slice(0, start),
    words: [...own.slice(start), ...call.given],
    append: (added) => [...argv, ...(call.hasEnd ? [] : ["--"]), ...added],
  };
}

interface ScriptCall {
  readonly script: string;
  /** Words that the call itself gives to the script. */
  readonly given: readonly string[];
  /** Whether what is appended reaches the script without a `--` before it. */
  readonly hasEnd: boolean;
}

function scriptCall(argv: readonly string[]): ScriptCall | undefined {
  const [program, ...all] = argv;
  const rest = all.filter((word, at) => !(at === 0 && /^(?:-s|--silent)$/.test(word)));
  const isRun = rest[0] === "run" || rest[0] === "run-script";
  const script = isRun ? rest[1] : rest[0];
  if (script === undefined || (!isRun && script !== "test")) return undefined;
  const after = rest.slice(isRun ? 2 : 1);
  if (program !== "npm") return { script, given: after, hasEnd: true };
  // npm keeps options before a `--` to itself.
  if (after.length === 0) return { script, given: [], hasEnd: false };
  return after[0] === "--" ? { script, given: after.slice(1), hasEnd: true } : undefined;
}

function scriptsIn(manifest: string): ReadonlyMap<string, string> | undefined {
  try {
    const { scripts = {} } = Manifest.parse(JSON.parse(manifest));
    return new Map(Object.entries(scripts));
  } catch {
    return undefined;
  }
}

/** A part of a word: in quotes that keep everything as it is, or without signs of a shell. */
const PART = /'([^']*)'|"([^"$`\\!]*)"|([^\s'"$`\\!;&|<>()#]+)/y;

/** The words of a script; undefined if a shell would do more than to separate them. */
function plainWords(script: string): readonly string[] | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < script.length) {
    const gap = /^[ \t]+/.exec(script.slice(at))?.[0].length ?? 0;
    at += gap;
    if (at === script.length) break;
    PART.lastIndex = at;
    const [all, single, double, bare] = PART.exec(script) ?? [];
    if (all === undefined) return undefined;
    const text = single ?? double ?? bare ?? "";
    if (gap > 0 || words.length === 0) words.push(text);
    else words.push(`${words.pop() ?? ""}${text}`);
    at += all.length;
  }
  return words;
}
