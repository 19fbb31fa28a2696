import { failedFile, type FailureReader, type TestIdentity } from "./test-identity.ts";

// The brackets of a parameter may contain anything.
const SUMMARY =
  /^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\[.*?\]|\(.*?\))*) ([^\s[(]+\.py)(?:::([^[]+?(?:\[.*?\])?))?(?: - .*)?$/;
const HEADER = /^_{3,} (?:ERROR at \w+ of )?(.+?) _{3,}$/;

/** pytest: the short summary; without one (`-rN`), the headings of the failures, which name no file. */
export const readPytest: FailureReader = (lines) => {
  const named = lines.flatMap((line): readonly TestIdentity[] => {
    const [, file, said] = SUMMARY.exec(line) ?? [];
    if (file === undefined) return [];
    if (said === undefined) return [failedFile(file)];
    // A parameter may contain colons.
    const [titles = "", parameter = ""] = split(said, said.indexOf("["));
    const path = titles.split("::");
    return [{ file, path: path.slice(0, -1), name: `${path.at(-1) ?? ""}${parameter}` }];
  });
  return named.length > 0 ? named : headedIn(lines);
};

function headedIn(lines: readonly string[]): readonly TestIdentity[] {
  let isList = false;
  return lines.flatMap((line): readonly TestIdentity[] => {
    if (/^=+ .* =+$/.test(line)) isList = /^=+ (?:FAILURES|ERRORS) =+$/.test(line);
    const said = isList ? HEADER.exec(line)?.[1] : undefined;
    const unloaded = /^ERROR collecting (.+)$/.exec(said ?? "")?.[1];
    if (unloaded !== undefined) return [failedFile(unloaded)];
    return said === undefined ? [] : [{ file: "", path: [], name: said }];
  });
}

function split(text: string, at: number): readonly string[] {
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at)];
}

/** unittest, Django: `FAIL: test (module.Class.test)`, or `(module.Class)` before Python 3.11. */
export const readUnittest: FailureReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const [, name, dotted = "", subtest = ""] =
      /^(?:FAIL|ERROR): (\w+) \(([\w.]+)\)(.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const group = dotted.endsWith(`.${name}`) ? dotted.slice(0, -name.length - 1) : dotted;
    return [{ file: "", path: [group], name: `${name}${subtest}` }];
  });
