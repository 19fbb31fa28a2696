import { failedFile, type FailureReader, type TestIdentity } from "./test-identity.ts";

const GO_EVENT = /^\{.*"Action":"fail","Package":"([^"]+)"(?:,"Test":"((?:[^"\\]|\\.)+)")?[,}]/;

/** go: tests before the line of their package. A parent of subtests may have failed by itself, so it is kept. */
export const readGo: FailureReader = (lines) => {
  let open: string[] = [];
  const failed = lines.flatMap((line): readonly TestIdentity[] => {
    const test = /^\s*--- FAIL: (\S+)/.exec(line)?.[1];
    if (test !== undefined) open.push(test);
    const [, word, name = ""] = /^(FAIL|ok {2})\t(\S+)(?:\t| \[)/.exec(line) ?? [];
    if (word === undefined) return [];
    const tests = open.map((each) => inPackage(name, each));
    open = [];
    return word === "FAIL" && tests.length === 0 ? [failedFile(name)] : tests;
  });
  return [...failed, ...open.map((each) => inPackage("", each)), ...eventsIn(lines)];
};

function inPackage(name: string, test: string): TestIdentity {
  const titles = test.split("/");
  return { file: name, path: titles.slice(0, -1), name: titles.at(-1) ?? "" };
}

/** `go test -json`. */
function eventsIn(lines: readonly string[]): readonly TestIdentity[] {
  const events = lines.flatMap((line) => {
    const [, name, test] = GO_EVENT.exec(line) ?? [];
    return name === undefined ? [] : [{ name, test }];
  });
  const named = new Set(events.flatMap(({ name, test }) => (test === undefined ? [] : [name])));
  return events.flatMap(({ name, test }): readonly TestIdentity[] => {
    if (test !== undefined) return [inPackage(name, test)];
    return named.has(name) ? [] : [failedFile(name)];
  });
}

const UNIT_TARGET = /^\s*Running unittests (\S+) \(\S*?([^/\s]+)-[0-9a-f]{16}(?:\.exe)?\)$/;
const TEST_TARGET = /^\s*Running (?!unittests )(\S+) \(/;

/** `cargo test`: the target, and its tests below. The line number of a documentation test changes with every edit. */
export const readCargo: FailureReader = (lines) => {
  let target: Pick<TestIdentity, "file" | "path"> = { file: "", path: [] };
  return lines.flatMap((line): readonly TestIdentity[] => {
    const [, unit, crate = ""] = UNIT_TARGET.exec(line) ?? [];
    const test = TEST_TARGET.exec(line)?.[1];
    const doc = /^\s*Doc-tests (\S+)$/.exec(line)?.[1];
    if (unit !== undefined) target = { file: unit, path: [crate] };
    if (test !== undefined) target = { file: test, path: [] };
    if (doc !== undefined) target = { file: "", path: [doc] };
    const said = /^test (.+?)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1];
    if (said === undefined) return [];
    const [, file, name] =
      /^(\S+) - (.*?) ?\(line \d+\)(?: - (?:compile fail|compile))?$/.exec(said) ?? [];
    if (file === undefined || name === undefined) return [{ ...target, name: said }];
    return [{ file, path: target.path, name: name === "" ? "(documentation)" : name }];
  });
};

/** `cargo nextest` lists what failed while it runs, and again after its summary. */
export const readNextest: FailureReader = (lines) => {
  const end = lines.findIndex((line) => /^\s*Summary \[/.test(line));
  const first = end === -1 ? lines : lines.slice(0, end);
  const running = first.flatMap(nextestLine);
  return running.length > 0 || end === -1 ? running : lines.slice(end).flatMap(nextestLine);
};

function nextestLine(line: string): readonly TestIdentity[] {
  const [, crate = "", name] =
    /^\s*FAIL \[ *[\d.]+s\] (?:\( *\d+\/\d+\) )?(\S+)(?: (.+))?$/.exec(line) ?? [];
  if (crate === "") return [];
  return [
    name === undefined ? { file: "", path: [], name: crate } : { file: "", path: [crate], name },
  ];
}
