/** The options of a program, as far as its words are known. */
export interface KnownOptions {
  /** Options that stand alone. */
  readonly flags: ReadonlySet<string>;
  /** Options whose value is the next word. */
  readonly valued: ReadonlySet<string>;
  /** Options with which its tests are not chosen. */
  readonly refused: ReadonlySet<string>;
}

/** The options among some arguments, with their values, and the other words. */
export interface SplitWords {
  readonly options: readonly string[];
  readonly others: readonly string[];
}

/**
 * Tells options from other words. Undefined if an option is refused, or if it cannot be told whether the word after one is
 * its value.
 */
export function splitWords(args: readonly string[], known: KnownOptions): SplitWords | undefined {
  const options: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (!word.startsWith("-")) {
      others.push(word);
      continue;
    }
    const hasValue = takesValue(word, args[at + 1], known);
    if (hasValue === undefined) return undefined;
    options.push(...args.slice(at, at + (hasValue ? 2 : 1)));
    if (hasValue) at++;
  }
  return { options, others };
}

/** Whether the word after an option is its value; undefined if that cannot be told, or the option is refused. */
function takesValue(
  option: string,
  next: string | undefined,
  { flags, valued, refused }: KnownOptions,
): boolean | undefined {
  if (option === "--" || isRefused(option, refused)) return undefined;
  if (option.includes("=") || flags.has(option)) return false;
  if (valued.has(option)) return next === undefined ? undefined : true;
  return next === undefined || next.startsWith("-") ? false : undefined;
}

/** Whether one of the words is an option with which tests are not chosen, or ends the options. */
export function hasRefused(args: readonly string[], refused: ReadonlySet<string>): boolean {
  return args.some((word) => word === "--" || isRefused(word, refused));
}

function isRefused(word: string, refused: ReadonlySet<string>): boolean {
  return refused.has(word.replace(/=.*$/s, ""));
}

/** Words as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").filter((word) => word !== ""));
}
