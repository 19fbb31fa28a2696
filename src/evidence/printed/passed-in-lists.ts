import type { PassReader } from "./listed-tree.ts";
import type { TestIdentity } from "./test-identity.ts";

/** pytest's short summary with `-rA`. */
export const passedInPytest: PassReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const [, file = "", said = "", row = ""] =
      /^PASSED ([^\s[(]+\.py)::([^[]+)(\[.*\])?$/.exec(line) ?? [];
    const path = said.split("::");
    return file === ""
      ? []
      : [{ file, path: path.slice(0, -1), name: `${path.at(-1) ?? ""}${row}` }];
  });

/** unittest with `-v`. A test's own words stand on a line below it. */
export const passedInUnittest: PassReader = (lines) =>
  lines.flatMap((line, at): readonly TestIdentity[] => {
    const [, name, dotted = "", end] = /^(\w+) \(([\w.]+)\)(?: \.\.\. (.+))?$/.exec(line) ?? [];
    if (name === undefined) return [];
    const said = end ?? / \.\.\. (\w+)$/.exec(lines[at + 1] ?? "")?.[1];
    const group = dotted.endsWith(`.${name}`) ? dotted.slice(0, -name.length - 1) : dotted;
    return said === "ok" ? [{ file: "", path: [group], name }] : [];
  });

/** go with `-v`: tests before the line of their package. */
export const passedInGo: PassReader = (lines) => {
  let open: string[] = [];
  return lines.flatMap((line): readonly TestIdentity[] => {
    const test = /^\s*--- PASS: (\S+) \(/.exec(line)?.[1];
    if (test !== undefined) open.push(test);
    const file = /^(?:FAIL|ok {2})\t(\S+)(?:\t| \[)/.exec(line)?.[1];
    if (file === undefined) return [];
    const passed = open.map((each) => each.split("/"));
    open = [];
    return passed.map((path) => ({ file, path: path.slice(0, -1), name: path.at(-1) ?? "" }));
  });
};

/** cargo: the target, and its tests below; those of the documentation are left out. */
export const passedInCargo: PassReader = (lines) => {
  let target: Pick<TestIdentity, "file" | "path"> | undefined;
  return lines.flatMap((line): readonly TestIdentity[] => {
    const [, unit, crate = ""] =
      /^\s*Running unittests (\S+) \(\S*?([^/\s]+)-[0-9a-f]{16}(?:\.exe)?\)$/.exec(line) ?? [];
    const file = /^\s*Running (?!unittests )(\S+) \(/.exec(line)?.[1];
    if (unit !== undefined) target = { file: unit, path: [crate] };
    if (file !== undefined) target = { file, path: [] };
    if (/^\s*Doc-tests /.test(line)) target = undefined;
    const name = /^test (\S+)(?: - should panic)? \.\.\. ok$/.exec(line)?.[1];
    return target === undefined || name === undefined ? [] : [{ ...target, name }];
  });
};

/** PHPUnit with `--log-teamcity php://stdout`: what began, ended, and neither failed nor was skipped in between. */
export const passedInPhpunit: PassReader = (lines) => {
  let open: TestIdentity | undefined;
  return lines.flatMap((line): readonly TestIdentity[] => {
    const [, event, place = ""] =
      /##teamcity\[test(Started|Failed|Ignored|Finished) name='[^']*'(?: locationHint='([^']*)')?/.exec(
        line,
      ) ?? [];
    if (event === undefined) return [];
    const [, group, name] = /::\\([\w\\]+)::(\w+)$/.exec(place) ?? [];
    const passed = open;
    open = undefined;
    if (event === "Started" && group !== undefined && name !== undefined) {
      open = { file: "", path: [group], name };
    }
    return event === "Finished" && passed !== undefined ? [passed] : [];
  });
};

/** ctest: a line for each test. */
export const passedInCtest: PassReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const name = /^\s*\d+\/\d+ Test +#\d+: (.+?) \.+ +Passed +[\d.]+ sec$/.exec(line)?.[1];
    return name === undefined ? [] : [{ file: "", path: [], name }];
  });
