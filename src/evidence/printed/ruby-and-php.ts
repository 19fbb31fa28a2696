import { withoutTime } from "./appended-time.ts";
import { failedFile, plainPath, type FailureReader, type TestIdentity } from "./test-identity.ts";

/** RSpec: `Failed examples:`, with the file of each, and its titles as one text. */
export const readRspec: FailureReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const unloaded = /^An error occurred while loading (\S+\.rb)\b/.exec(line)?.[1];
    if (unloaded !== undefined) return [failedFile(plainPath(unloaded))];
    const [, file, name] = /^rspec '?(\S+?\.rb)(?::\d+|\[[\d:]+\])'? # (.+)$/.exec(line) ?? [];
    return file === undefined || name === undefined
      ? []
      : [{ file: plainPath(file), path: [], name }];
  });

/** minitest, Rails: `1) Failure:`, and `Class#test` below. The place is that of the error, and not always there. */
export const readMinitest: FailureReader = (lines) =>
  lines.flatMap((line, at): readonly TestIdentity[] => {
    if (!/^(?: +\d+\) )?(?:Failure|Error):$/.test(line)) return [];
    const [, group, name] = /^(.+)#(.+?)(?: \[[^\]]*\])?:$/.exec(lines[at + 1] ?? "") ?? [];
    if (group === undefined || name === undefined) return [];
    // Tests in words are numbered by their order, which others before them change.
    return [{ file: "", path: [group], name: name.replace(/^test_\d{4}_/, "") }];
  });

/** test-unit: `Failure: test(Class)`. */
export const readTestUnit: FailureReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const [, name, group] =
      /^(?:Failure|Error): (test\S*.*?)\(([A-Z][\w:]*)\)(?:: .*)?$/.exec(line) ?? [];
    return name === undefined || group === undefined ? [] : [{ file: "", path: [group], name }];
  });

/** PHPUnit: `There were 2 failures:`, and numbered tests below; with `--testdox`, signs. */
export const readPhpunit: FailureReader = (lines) => {
  let isList = false;
  const numbered = lines.flatMap((line): readonly TestIdentity[] => {
    const what = /^There (?:was|were) \d+ (.+):$/.exec(line)?.[1];
    if (what !== undefined) isList = /^(?:PHPUnit )?(?:errors?|failures?)$/.test(what);
    const [, group, name] = isList ? (/^\d+\) (\w[\w\\]*)::(.+)$/.exec(line) ?? []) : [];
    return group === undefined || name === undefined ? [] : [{ file: "", path: [group], name }];
  });
  return numbered.length > 0 ? numbered : testdoxIn(lines);
};

function testdoxIn(lines: readonly string[]): readonly TestIdentity[] {
  let group = "";
  return lines.flatMap((line): readonly TestIdentity[] => {
    group = /^\S.* \((\w[\w\\]*)\)$/.exec(line)?.[1] ?? group;
    const name = /^ ✘ (.+)$/.exec(line)?.[1];
    return name === undefined || group === ""
      ? []
      : [{ file: "", path: [group], name: withoutTime(name, "square") }];
  });
}
