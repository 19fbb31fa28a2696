import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Files } from "../../src/base/ports/files.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { createHost } from "../../src/host/host.ts";
import { countSessions, findSession } from "../../src/workspace/find-session.ts";
import { currentLink, sessionsDirectory } from "../../src/workspace/sessions.ts";
import { SESSION } from "../rig/session.ts";

let root: string;
let read: string[];

/** The files of this machine, which note what is read of them. */
const noted = (): Files => {
  const { files } = createHost();
  return new Proxy(files, {
    get: (target, name: keyof Files) =>
      name === "read"
        ? (...given: Parameters<Files["read"]>) => {
            read.push(given[0]);
            return target.read(...given);
          }
        : Reflect.get(target, name),
  });
};

function home(id: string) {
  return homeAt(join(sessionsDirectory(root), id));
}

function point(id: string): void {
  rmSync(currentLink(root), { force: true });
  symlinkSync(join("sessions", id), currentLink(root));
}

/** The names of the sessions whose `session.json` is read for this. */
function readFor(asked: string | undefined): readonly string[] {
  read = [];
  const found = findSession(noted(), root, asked);
  const names = ["one", "two", "three"].filter((id) => read.includes(home(id).sessionJson));
  return [found.ok ? found.value.session.id : found.failure.kind, ...names];
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wisp-find-"));
  mkdirSync(join(root, ".git"));
  for (const id of ["one", "two", "three"]) {
    mkdirSync(home(id).logs, { recursive: true });
    const createdAt = `2026-11-0${String(id.length)}T12:00:00.000Z`;
    const session = { ...SESSION, id, branch: `wisp/${id}`, repository: root, createdAt };
    writeFileSync(home(id).sessionJson, JSON.stringify(session));
  }
  point("one");
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

test("a session that its id names, or to which the link leads, is found without reading another", () => {
  expect(readFor("two")).toEqual(["two", "two"]);
  expect(readFor(undefined)).toEqual(["one", "one"]);
});

test("a session that only its branch names, or that is the newest open one, is found among all", () => {
  expect(readFor("wisp/two")).toEqual(["two", "one", "two", "three"]);
  writeFileSync(home("one").humanLog, "2026-11-09T12:00:00.000Z abandon\n");
  expect(readFor(undefined)).toEqual(["three", "one", "two", "three"]);
});

test("a link out of the sessions' directory chooses none", () => {
  mkdirSync(join(root, "elsewhere"));
  writeFileSync(join(root, "elsewhere", "session.json"), JSON.stringify({ ...SESSION, id: "x" }));
  point("../../elsewhere");
  expect(readFor(undefined)[0]).toBe("three");
});

test("a home whose session says another name is not found by that of its folder", () => {
  writeFileSync(home("two").sessionJson, JSON.stringify({ ...SESSION, id: "three" }));
  expect(readFor("two")[0]).toBe("no-such-session");
});

test("sessions are counted without reading them", () => {
  read = [];
  expect(countSessions(noted(), root)).toBe(3);
  expect(read.filter((path) => path.endsWith("session.json"))).toEqual([]);
});
