import type { FailureReader, TestIdentity } from "./test-identity.ts";

const TITLES_MAX = 50;

/**
 * mocha lists what failed at its end: a number, and then the titles, each on a line of its own and further indented.
 * Only stacks name files, and not in every failure, so no file is read.
 */
export const readMocha: FailureReader = (lines) => {
  let isList = false;
  return lines.flatMap((line, at): readonly TestIdentity[] => {
    if (/^ {2}\d+ failing$/.test(line)) isList = true;
    if (/^ {2}\d+ passing\b/.test(line)) isList = false;
    const first = isList ? /^ {2}\d+\) (.+)$/.exec(line)?.[1] : undefined;
    if (first === undefined) return [];
    const titles = [first];
    for (const next of lines.slice(at + 1, at + TITLES_MAX)) {
      const indent = 5 + 2 * titles.length;
      if (/^ */.exec(next)?.[0].length !== indent || next.length === indent) break;
      titles.push(next.trim());
    }
    const name = (titles.at(-1) ?? "").replace(/:$/, "");
    return [{ file: "", path: titles.slice(0, -1), name }];
  });
};

/** jasmine: `Failures:`, and a number before each. Pending tests are numbered as well. */
export const readJasmine: FailureReader = (lines) => {
  let isList = false;
  return lines.flatMap((line, at): readonly TestIdentity[] => {
    if (line === "Failures:") isList = true;
    else if (line === "Pending:" || /^\d+ specs?, /.test(line)) isList = false;
    const name = isList ? /^\d+\) (.+)$/.exec(line)?.[1] : undefined;
    const isFailure = lines[at + 1]?.trim() === "Message:";
    return name === undefined || !isFailure ? [] : [{ file: "", path: [], name }];
  });
};
