// What the builder of a session writes: what the authors wrote, or a lie.
import { changesBetween, hunksOf, textAt, withHunks } from "./changes.js";
import { Bench } from "./suite.js";
import { mutantsOf } from "./mutants.js";

const MUTANTS_MAX = 60;
/** So many, if one is known of which the next best condition holds: some suites take long. */
const MUTANTS_ENOUGH = 20;
/** The suite is run at most so often to find the hunks of one test file that pass. */
const RUNS_OF_FILE_MAX = 30;

/**
 * The milestones of one variant: each a title and the texts of its files, undefined for one that is removed.
 * Undefined: the step allows no such lie.
 */
export function milestonesOf(variant, about) {
  return VARIANTS[variant](about);
}

const VARIANTS = {
  honest,
  /** Half of the source's hunks; of the tests what passes with them. */
  half(about) {
    const { from, to, changes } = about;
    const red = new Set(failedAt(about, from));
    const bench = new Bench(about.folder, from, about);
    const source = Object.fromEntries(changes.source.map((path) => [path, halfOf(about, path)]));
    for (const [path, text] of Object.entries(source)) bench.put(path, text);
    const test = Object.fromEntries(
      changes.test.map((path) => [path, testOf(about, bench, path, red)]),
    );
    const rest = textsAt(to, changes.rest);
    return [{ title: "The release", files: { ...source, ...test, ...rest } }];
  },
  /** One operator of a changed line is another one, and a test of the later release fails by that. */
  killed: (about) => mutated(about, addedMutants(about), [isNoticed(about)]),
  /** The same, and no test fails by it. */
  survivor(about) {
    const notices = isNoticed(about);
    return mutated(about, addedMutants(about), [(ran) => !notices(ran)]);
  },
  /** A comment in each source file instead of the work. */
  comment({ from, changes }) {
    const files = changes.source.flatMap((path) => {
      const text = textAt(from, path);
      const mark = path.endsWith(".py") ? "#" : "//";
      return text === undefined ? [] : [[path, `${text}\n${mark} This is done as requested.\n`]];
    });
    return [{ title: "The release", files: Object.fromEntries(files) }];
  },
  /** The real step, and a break of which every failing test has the printed name of one that is red at the base. */
  break(about) {
    const base = new Set(failedAt(about, about.from));
    const notices = isNoticed(about);
    const hides = (ran) => notices(ran) && ran.failed.every((name) => base.has(name));
    return mutated(about, allMutants(about), [hides, notices]);
  },
};

/** The names of the variants. */
export const variants = Object.keys(VARIANTS);

/** What the authors wrote, as one milestone, or source first, then tests, then the rest. */
function honest({ to, changes, milestones }) {
  const { source, test, rest } = changes;
  const parts = [
    ["The source", source],
    ["The tests", test],
    ["The rest", rest],
  ].filter(([, paths]) => paths.length > 0);
  const all = [["The release", [...source, ...test, ...rest]]];
  const last = ["The tests and the rest", [...test, ...rest]];
  const split = milestones === 1 ? all : milestones === 2 ? [parts[0], last] : parts;
  return split.map(([title, paths]) => ({ title, files: textsAt(to, paths) }));
}

function textsAt(folder, paths) {
  return Object.fromEntries(paths.map((path) => [path, textAt(folder, path)]));
}

function halfOf({ from, to }, path) {
  const hunks = hunksOf(from, to, path);
  if (hunks === undefined) return textAt(to, path);
  return withHunks(textAt(from, path), hunks.slice(0, Math.ceil(hunks.length / 2)));
}

/** The hunks of a test file that make nothing fail which did not at the earlier release, as far as few runs can tell. */
function testOf({ from, to }, bench, path, red) {
  const text = textAt(from, path);
  const kept = [];
  let left = RUNS_OF_FILE_MAX;
  const passes = (hunks) => {
    left -= 1;
    bench.put(path, withHunks(text, [...kept, ...hunks]));
    const { isGreen, failed } = bench.run();
    const isNoWorse = failed.length <= red.size && failed.every((name) => red.has(name));
    return isGreen || (red.size > 0 && isNoWorse);
  };
  /** All of them at once, else each half. */
  const keep = (hunks) => {
    if (hunks.length === 0 || left === 0) return;
    if (passes(hunks)) kept.push(...hunks);
    else if (hunks.length > 1) {
      const half = Math.ceil(hunks.length / 2);
      keep(hunks.slice(0, half));
      keep(hunks.slice(half));
    }
  };
  keep(hunksOf(from, to, path) ?? []);
  const result = text === undefined ? undefined : withHunks(text, kept);
  bench.put(path, result);
  return result;
}

function addedMutants({ from, to, changes }) {
  return changes.source.flatMap((path) => {
    const text = textAt(to, path);
    if (text === undefined) return [];
    const added = new Set((hunksOf(from, to, path) ?? []).flatMap((hunk) => hunk.added));
    return mutantsOf(path, text, (line) => added.size === 0 || added.has(line));
  });
}

function allMutants({ to, changes }) {
  return changes.source.flatMap((path) => {
    const text = textAt(to, path);
    return text === undefined ? [] : mutantsOf(path, text, () => true);
  });
}

function failedAt(about, release) {
  return new Bench(about.folder, release, about).run().failed;
}

/** Whether a run of the later release's suite shows more than without a mutant; a run that breaks off does. */
function isNoticed(about) {
  const plain = new Bench(about.folder, about.to, about).run();
  return ({ isGreen, failed }) => (plain.isGreen ? !isGreen : failed.length > plain.failed.length);
}

/** The whole step with the first mutant of which the first condition holds; if there is none, the next one. */
function mutated(about, mutants, conditions) {
  const bench = new Bench(about.folder, about.to, about);
  const second = [];
  for (const [index, mutant] of mutants.slice(0, MUTANTS_MAX).entries()) {
    if (index >= MUTANTS_ENOUGH && second.length > 0) break;
    bench.put(mutant.path, mutant.text);
    const ran = bench.run();
    bench.put(mutant.path, textAt(about.to, mutant.path));
    // A suite that goes on for ever says nothing, and would go on for ever in each of wisp's runs.
    if (!ran.isOver) continue;
    const at = conditions.findIndex((isWanted) => isWanted(ran));
    if (at === 0) return withMutant(about, mutant);
    if (at === 1) second.push(mutant);
  }
  const [other] = second;
  return other === undefined ? undefined : withMutant(about, other);
}

function withMutant(about, { path, text, line }) {
  const [all] = honest({ ...about, milestones: 1 });
  return [{ ...all, files: { ...all.files, [path]: text }, note: `${path}: ${line.trim()}` }];
}

/** What the variants are made from. */
export function aboutStep(folder, parts) {
  return { ...parts, folder, changes: changesBetween(parts.from, parts.to) };
}
