import type { TestCase } from "./test-case.ts";

/** The tests of two trees, paired where they are the same test. */
export interface MatchedTests {
  readonly pairs: readonly { readonly before: TestCase; readonly after: TestCase }[];
  /** Tests that no longer exist under any name. */
  readonly missing: readonly TestCase[];
}

/** From this similarity on, two bodies count as versions of one test. */
const SIMILARITY_MIN = 0.6;
/** Above this number of unmatched pairs, similarity is not measured, since the time grows with their number. */
const PAIRS_MAX = 40_000;

type Key = (test: TestCase) => string;

// From the strongest to the weakest evidence: a test may have moved to another file or group, or been renamed.
const KEYS: readonly Key[] = [
  ({ file, path }) => JSON.stringify([file, ...path]),
  ({ file, path }) => JSON.stringify([file, path.at(-1)]),
  ({ path }) => JSON.stringify(path),
  ({ path }) => JSON.stringify(path.at(-1)),
  (test) => bodyOf(test),
];

/** Pairs the tests of two trees; each test is used at most once. */
export function matchTests(before: readonly TestCase[], after: readonly TestCase[]): MatchedTests {
  const unmatched = new Set(after);
  const pairs: Pair[] = [];
  let missing = before;
  for (const key of KEYS) {
    const byKey = grouped(unmatched, key);
    missing = takePairs(missing, { pairs, unmatched }, (test) => byKey.get(key(test))?.shift());
  }
  if (missing.length * unmatched.size > PAIRS_MAX) return { pairs, missing };
  // Tests that were renamed and changed at once are matched by similarity.
  const words = new Map([...unmatched].map((test) => [test, wordsOf(test)]));
  missing = takePairs(missing, { pairs, unmatched }, (test) => {
    const found = mostSimilar(wordsOf(test), words);
    if (found !== undefined) words.delete(found);
    return found;
  });
  return { pairs, missing };
}

type Pair = MatchedTests["pairs"][number];

/** Adds the pairs that `find` finds, and returns the tests without a match. */
function takePairs(
  tests: readonly TestCase[],
  { pairs, unmatched }: { readonly pairs: Pair[]; readonly unmatched: Set<TestCase> },
  find: (test: TestCase) => TestCase | undefined,
): readonly TestCase[] {
  return tests.filter((before) => {
    const after = find(before);
    if (after === undefined) return true;
    pairs.push({ before, after });
    unmatched.delete(after);
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

function mostSimilar(
  words: ReadonlySet<string>,
  others: ReadonlyMap<TestCase, ReadonlySet<string>>,
): TestCase | undefined {
  let best: TestCase | undefined;
  let most = 0;
  for (const [test, otherWords] of others) {
    const similarity = similarityOf(words, otherWords);
    if (similarity < SIMILARITY_MIN || similarity <= most) continue;
    best = test;
    most = similarity;
  }
  return best;
}

/** The text of a test without its title, quotes, semicolons, and anything else that a formatter changes. */
function bodyOf({ text, path }: TestCase): string {
  const dense = text
    .replace(path.at(-1) ?? "", "")
    .replace(/[\s;]+/g, "")
    .replace(/['`]/g, '"');
  // A formatter adds or removes a trailing comma with line breaks.
  return dense.replace(/,(?=[)\]}])/g, "");
}

function wordsOf({ text }: TestCase): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}\p{N}_]+/gu) ?? []);
}

function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}
