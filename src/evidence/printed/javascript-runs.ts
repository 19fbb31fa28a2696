import { withoutTime } from "./appended-time.ts";
import { failedFile, plainPath, type FailureReader, type TestIdentity } from "./test-identity.ts";

const SOURCE = String.raw`\S+\.[cm]?[jt]sx?`;
const SOURCE_ALONE = new RegExp(`^${SOURCE}$`);
const SOURCE_HEADING = new RegExp(`^(?:::group::)?(${SOURCE}):$`);

/** uvu: the file, unless it was started by itself, and `FAIL group "test"` below. */
export const readUvu: FailureReader = (lines) => {
  let file = "";
  return lines.flatMap((line, at): readonly TestIdentity[] => {
    const isHeader = /\(\d+ \/ \d+\)$/.test(lines[at + 1] ?? "");
    if (isHeader) file = SOURCE_ALONE.exec(line)?.[0] ?? file;
    const [, group, name] = /^ +FAIL +(?:(\S.*?) +)?"(.+)"$/.exec(line) ?? [];
    if (name === undefined) return [];
    return [{ file, path: group === undefined ? [] : [group], name }];
  });
};

/** bun: `file:`, and `(fail) group > test` below. Many tests are listed again at the end. */
export const readBun: FailureReader = (lines) => {
  let file = "";
  let isRepeated = false;
  return lines.flatMap((line): readonly TestIdentity[] => {
    const header = SOURCE_HEADING.exec(line)?.[1];
    if (header !== undefined) file = plainPath(header);
    if (/^\d+ tests? failed:$/.test(line)) isRepeated = true;
    if (/^ *\d+ pass$/.test(line)) isRepeated = false;
    const said = /^\(fail\) (.+)$/.exec(line)?.[1];
    if (said === undefined || isRepeated) return [];
    const titles = withoutTime(said, "square").split(" > ");
    return [{ file, path: titles.slice(0, -1), name: titles.at(-1) ?? "" }];
  });
};

/** deno: `FAILURES`, and `test ... step => file:line:column` below. */
export const readDeno: FailureReader = (lines) => {
  let isList = false;
  return lines.flatMap((line, at): readonly TestIdentity[] => {
    if (line.trim() === "FAILURES") isList = true;
    else if (line.trim() === "" && lines[at - 1]?.trim() !== "FAILURES") isList = false;
    if (!isList) return [];
    const unloaded = /^(\S+) \(uncaught error\)$/.exec(line)?.[1];
    if (unloaded !== undefined) return [failedFile(plainPath(unloaded))];
    const [, said, file] = /^(.+) => (.+?):\d+:\d+$/.exec(line) ?? [];
    if (said === undefined || file === undefined) return [];
    const titles = said.split(" ... ");
    return [{ file: plainPath(file), path: titles.slice(0, -1), name: titles.at(-1) ?? "" }];
  });
};

/** Playwright: `N failed`, and `[project] › file:line:column › group › test` below. */
export const readPlaywright: FailureReader = (lines) => {
  let isList = false;
  return lines.flatMap((line): readonly TestIdentity[] => {
    if (/^ {2}\d+ \w/.test(line)) isList = / failed$/.test(line);
    const [, project, file, said] = isList
      ? (/^ {4}(?:\[([^\]]+)\] › )?(\S+?):\d+:\d+ › (.+?)(?: ─+)?$/.exec(line) ?? [])
      : [];
    if (file === undefined || said === undefined) return [];
    const titles = said.trimEnd().split(" › ");
    const path = [...(project === undefined ? [] : [project]), ...titles.slice(0, -1)];
    return [{ file, path, name: titles.at(-1) ?? "" }];
  });
};
