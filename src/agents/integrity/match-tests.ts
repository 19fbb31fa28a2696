import type { TestCase } from "./test-case.ts";

/** The tests of two trees, as far as they are the same tests. */
export interface MatchedTests {
  readonly kept: readonly { readonly before: TestCase; readonly after: TestCase }[];
  /** Tests that are not there any more, under whatever name. */
  readonly gone: readonly TestCase[];
}

/** From here on two bodies are versions of one test. */
const ALIKE_MIN = 0.6;
/** Beyond this many left-over pairs, likeness is not measured: the time grows with their number. */
const PAIRS_MAX = 40_000;

type Key = (test: TestCase) => string;

// From the surest to the weakest sign: a test may be moved to another file or group, or renamed.
const KEYS: readonly Key[] = [
  ({ file, path }) => JSON.stringify([file, ...path]),
  ({ file, path }) => JSON.stringify([file, path.at(-1)]),
  ({ path }) => JSON.stringify(path),
  ({ path }) => JSON.stringify(path.at(-1)),
  (test) => bodyOf(test),
];

/** Pairs the tests of two trees, each at most once. */
export function matchTests(before: readonly TestCase[], after: readonly TestCase[]): MatchedTests {
  const fresh = new Set(after);
  const kept: Pair[] = [];
  let gone = before;
  for (const key of KEYS) {
    const byKey = grouped(fresh, key);
    gone = take(gone, { kept, fresh }, (test) => byKey.get(key(test))?.shift());
  }
  if (gone.length * fresh.size > PAIRS_MAX) return { kept, gone };
  // The rest, by likeness of what is in them: renamed and changed at once.
  const words = new Map([...fresh].map((test) => [test, wordsOf(test)]));
  gone = take(gone, { kept, fresh }, (test) => {
    const found = mostAlike(wordsOf(test), words);
    if (found !== undefined) words.delete(found);
    return found;
  });
  return { kept, gone };
}

type Pair = MatchedTests["kept"][number];

/** Pairs what `find` finds, and returns the tests for which it finds nothing. */
function take(
  tests: readonly TestCase[],
  { kept, fresh }: { readonly kept: Pair[]; readonly fresh: Set<TestCase> },
  find: (test: TestCase) => TestCase | undefined,
): readonly TestCase[] {
  return tests.filter((before) => {
    const after = find(before);
    if (after === undefined) return true;
    kept.push({ before, after });
    fresh.delete(after);
    return false;
  });
}

function grouped(tests: ReadonlySet<TestCase>, key: Key): ReadonlyMap<string, TestCase[]> {
  const groups = new Map<string, TestCase[]>();
  for (const test of tests) {
    const group = groups.get(key(test));
    if (group === undefined) groups.set(key(test), [test]);
    else group.push(test);
  }
  return groups;
}

function mostAlike(
  words: ReadonlySet<string>,
  others: ReadonlyMap<TestCase, ReadonlySet<string>>,
): TestCase | undefined {
  let best: TestCase | undefined;
  let most = 0;
  for (const [test, otherWords] of others) {
    const likeness = likenessOf(words, otherWords);
    if (likeness < ALIKE_MIN || likeness <= most) continue;
    best = test;
    most = likeness;
  }
  return best;
}

/** The text of a test without its title, its marks and whatever a formatter changes. */
function bodyOf({ text, path }: TestCase): string {
  const dense = text
    .replace(path.at(-1) ?? "", "")
    .replace(/[\s;]+/g, "")
    .replace(/['`]/g, '"');
  // A trailing comma before a closing bracket comes and goes with line breaks.
  return dense.replace(/,(?=[)\]}])/g, "");
}

function wordsOf({ text }: TestCase): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}\p{N}_]+/gu) ?? []);
}

function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
