import { hasTime, withoutTime } from "./appended-time.ts";
import type { FailureReader, TestIdentity } from "./test-identity.ts";

const GTEST_FAILED = /^\[ {2}FAILED {2}\] ([\w/]+)\.([\w/]+)(?:, where .*?)?( \(\d+ ms\))?$/;

/** googletest: lines with a time while it runs, and again without one at the end. A crash leaves a test without an end. */
export const readGtest: FailureReader = (lines) => {
  const ran = lines.filter((line) => hasTime(line, "round"));
  const listed = ran.some((line) => GTEST_FAILED.test(line)) ? ran : lines;
  const failed = listed.flatMap((line): readonly TestIdentity[] => {
    const [, group, name] = GTEST_FAILED.exec(line) ?? [];
    return group === undefined || name === undefined ? [] : [{ file: "", path: [group], name }];
  });
  const crashed = crashedIn(lines);
  return crashed === undefined ? failed : [...failed, crashed];
};

function crashedIn(lines: readonly string[]): TestIdentity | undefined {
  const last = lines.findLast((line) =>
    /^\[(?: RUN | {7}OK| {2}FAILED| {2}SKIPPED|=+\])/.test(line),
  );
  const [, group, name] = /^\[ RUN {6}\] ([\w/]+)\.([\w/]+)$/.exec(last ?? "") ?? [];
  return group === undefined || name === undefined ? undefined : { file: "", path: [group], name };
}

/** ctest: `The following tests FAILED:`. */
export const readCtest: FailureReader = (lines) => {
  let isList = false;
  return lines.flatMap((line): readonly TestIdentity[] => {
    const name = /^\s*\d+ - (.+?) \([^()]+\)(?:\s+\S.*)?$/.exec(line)?.[1];
    if (line === "The following tests FAILED:") isList = true;
    else if (name === undefined) isList = false;
    return isList && name !== undefined ? [{ file: "", path: [], name }] : [];
  });
};

const RULE = /^-{40,}$/;
const CATCH_TITLES_MAX = 20;

/** Catch2: the titles between two rules, the place of the test below, and its failed checks. */
export const readCatch2: FailureReader = (lines) => {
  let test: TestIdentity | undefined;
  return lines.flatMap((line, at): readonly TestIdentity[] => {
    const end = RULE.test(line) ? lines.indexOf(line, at + 1) : -1;
    const file = placeOf(lines[end + 1] ?? "");
    const isTitle = end > at && end - at <= CATCH_TITLES_MAX && file !== undefined;
    if (isTitle) {
      const titles = lines.slice(at + 1, end).map((title) => title.trim());
      test = { file, path: titles.slice(0, -1), name: titles.at(-1) ?? "" };
    }
    if (test === undefined || !/: FAILED:$/.test(line)) return [];
    const failed = test;
    // A test fails once, whatever the number of its failed checks.
    test = undefined;
    return [failed];
  });
};

function placeOf(line: string): string | undefined {
  return /^(\S.*?)(?::\d+|\(\d+\))$/.exec(line)?.[1];
}

/** ERT, of Emacs: lines with a time while it runs, and again without one at the end. */
export const readErt: FailureReader = (lines) => {
  const all = lines.flatMap((line) => {
    const [, count, said] = /^ {2,}FAILED {2}(\d+\/\d+ {2})?(\S.*)$/.exec(line) ?? [];
    return said === undefined ? [] : [{ isListed: count === undefined, said }];
  });
  const isListed = all.every((each) => each.isListed);
  return all
    .filter((each) => each.isListed === isListed)
    .map(({ said }) => ({ file: "", path: [], name: withoutTime(said, "round") }));
};
