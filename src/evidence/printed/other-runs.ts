import { withoutTime } from "./appended-time.ts";
import type { FailureReader, TestIdentity } from "./test-identity.ts";

/** ExUnit, of Elixir: a number, the test and its module, and the file below. */
export const readExunit: FailureReader = (lines) =>
  lines.flatMap((line, at): readonly TestIdentity[] => {
    const [, name, group] = /^ {2,3}\d+\) (.+) \(([A-Z][\w.]*)\)$/.exec(line) ?? [];
    const file = /^ {5}(\S+\.exs?):\d+$/.exec(lines[at + 1] ?? "")?.[1];
    if (name === undefined || group === undefined || file === undefined) return [];
    return [{ file, path: [group], name }];
  });

/** busted, of Lua: `Failure -> file @ line`, and the titles below, as one text. */
export const readBusted: FailureReader = (lines) =>
  lines.flatMap((line, at): readonly TestIdentity[] => {
    const file = /^(?:Failure|Error) (?:->|→) (\S+) @ \d+$/.exec(line)?.[1];
    return file === undefined ? [] : [{ file, path: [], name: lines[at + 1] ?? "" }];
  });

/** bats, as it prints for a terminal; otherwise it prints TAP. */
export const readBats: FailureReader = (lines) =>
  lines.flatMap((line, at): readonly TestIdentity[] => {
    // The sign stands where the number of the test was.
    const name = /(?:^|\d\/\d+) ✗ (.+)$/.exec(line)?.[1];
    const around = lines.slice(at + 1, at + 5).join("\n");
    const file = /\bin test file (\S+), line \d+\)/.exec(around)?.[1];
    return name === undefined || file === undefined ? [] : [{ file, path: [], name }];
  });

const SUREFIRE =
  /^\[ERROR\] (?:([\w.$]+)\.([\w$]+)(.*?)|(\w+)(\S*)\(([\w.$]+)\)) +(?:-- )?Time elapsed:? .*<<< (?:FAILURE|ERROR)!$/;

/** Surefire and Failsafe, of Maven: `Class.test -- Time elapsed`, in older versions `test(Class)`. */
export const readSurefire: FailureReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    // Only such a line is worth the pattern, which takes its time with other long ones.
    const [, group, name, parameter = "", old, row = "", oldGroup] = line.includes("Time elapsed")
      ? (SUREFIRE.exec(line) ?? [])
      : [];
    if (group !== undefined && name !== undefined) {
      return [{ file: "", path: [group], name: `${name}${parameter}` }];
    }
    if (old === undefined || oldGroup === undefined) return [];
    return [{ file: "", path: [oldGroup], name: `${old}${row}` }];
  });

/** Gradle: `Class > test() FAILED`. */
export const readGradle: FailureReader = (lines) =>
  lines.flatMap((line): readonly TestIdentity[] => {
    const said = /^(\w[\w.$]* > .+) FAILED$/.exec(line)?.[1];
    if (said === undefined) return [];
    const titles = withoutTime(said, "round").split(" > ");
    return [{ file: "", path: titles.slice(0, -1), name: titles.at(-1) ?? "" }];
  });
