import { FileFailure } from "../../src/base/ports/files.ts";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Files } from "../../src/base/ports/files.ts";
import type { Result } from "../../src/base/result.ts";
import { guardedFiles } from "../../src/home/own-files.ts";
import { createJournal } from "../../src/work/journal.ts";
import { CommonRecord } from "../../src/fs-protocol/records/common-records.ts";
import {
  EDIT_BYTES_MAX,
  EDIT_COPIES_MAX,
  editCopies,
} from "../../src/fs-protocol/home/edit-copies.ts";
import { homeAt, planPath, roleLog } from "../../src/fs-protocol/home/home.ts";
import { createHost } from "../../src/host/host.ts";
import { SESSION } from "../rig/session.ts";

/** The reviewer's files of one session on a real disk; `process()` starts its next process. */
function guardedHome() {
  const root = mkdtempSync(join(tmpdir(), "wisp-"));
  const home = homeAt(join(root, "home"));
  mkdirSync(home.logs, { recursive: true });
  writeFileSync(home.sessionJson, "{}\n");
  const log = roleLog(home, "reviewer");
  const session = { ...SESSION, state: join(root, "state") };
  const { files, clock } = createHost();
  return {
    home,
    log,
    files,
    text: () => readFileSync(log, "utf8"),
    process(disk: Files = files) {
      const guarded = guardedFiles({ role: "reviewer", home, session, files: disk, clock });
      const journal = createJournal({ files: guarded, clock }, log, CommonRecord);
      return {
        guarded,
        say: (text: string) => {
          journal.append({ kind: "note", time: journal.time(), text });
        },
      };
    },
    [Symbol.dispose]: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function texts(log: string): readonly string[] {
  return log.split("\n").flatMap((line) => / (?:text|found)=(\S+)/.exec(line)?.[1] ?? []);
}

/** Damage that a model may do to a file, and how it is reported. */
const DAMAGES: readonly (readonly [string, string, (path: string) => void])[] = [
  ["removed", "missing", (path) => rmSync(path)],
  ["emptied", "cut", (path) => writeFileSync(path, "")],
  ["cut within a line", "cut", (path) => writeFileSync(path, readFileSync(path).subarray(0, -5))],
  ["appended to", "grown", (path) => appendFileSync(path, "forged\n")],
  ["left torn", "grown", (path) => appendFileSync(path, "forged")],
  ["reordered", "edited", (path) => writeFileSync(path, linesOf(path).reverse().join(""))],
  ["changed by one byte", "edited", (path) => writeFileSync(path, changed(readFileSync(path)))],
  ["a link to a copy", "edited", linked],
  ["a pipe", "edited", piped],
];

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split(/(?<=\n)/);
}

function changed(bytes: Buffer): Buffer {
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  return bytes;
}

function linked(path: string): void {
  renameSync(path, `${path}.copy`);
  symlinkSync(`${path}.copy`, path);
}

function piped(path: string): void {
  rmSync(path);
  execFileSync("mkfifo", [path]);
}

test("a journal that is removed between the check and the append loses nothing", () => {
  using at = guardedHome();
  let isToTake = false;
  const racing: Files = {
    ...at.files,
    append: (path, bytes) => {
      if (isToTake && path === at.log) rmSync(path);
      if (path === at.log) isToTake = false;
      return at.files.append(path, bytes);
    },
  };
  const { say } = at.process(racing);
  say("one");
  say("two");
  isToTake = true;
  say("three");
  say("four");
  expect(texts(at.text())).toEqual(["one", "two", "three", "edited", "four"]);
});

test.each(DAMAGES)(
  "a journal that somebody else %s is restored, and the restoration is recorded",
  (_name, found, damage) => {
    using at = guardedHome();
    const { say } = at.process();
    say("one");
    say("two");
    const before = at.text();
    damage(at.log);
    say("three");
    expect(at.text().startsWith(before)).toBe(true);
    expect(texts(at.text())).toEqual(["one", "two", found, "three"]);
  },
);

test.each(DAMAGES)(
  "a projection that somebody else %s is restored when the journal is checked",
  (_name, found, damage) => {
    using at = guardedHome();
    const { guarded, say } = at.process();
    say("one");
    expect(guarded.append(at.home.reviews, Buffer.from("a line\n")).ok).toBe(true);
    expect(guarded.append(at.home.reviews, Buffer.from("b line\n")).ok).toBe(true);
    damage(at.home.reviews);
    guarded.stat(at.log);
    expect(readFileSync(at.home.reviews, "utf8")).toBe("a line\nb line\n");
    say("two");
    expect(texts(at.text())).toEqual(["one", found, "two"]);
    expect(at.text()).toContain("file=REVIEWS.md");
  },
);

test("a file that the role never wrote is removed", () => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  writeFileSync(at.home.reviewerCheckpoint, `${"a".repeat(40)}\n`);
  guarded.stat(at.log);
  expect(existsSync(at.home.reviewerCheckpoint)).toBe(false);
});

test.each(DAMAGES)(
  "the text of a projection that somebody %s is kept before the restoration",
  (_how, _found, damage) => {
    using at = guardedHome();
    const { guarded, say } = at.process();
    say("one");
    expect(guarded.append(at.home.reviews, Buffer.from("a line\nb line\n")).ok).toBe(true);
    damage(at.home.reviews);
    const found = hasFile(at.home.reviews) ? readFileSync(at.home.reviews, "utf8") : "";
    guarded.stat(at.log);
    say("two");
    const copy = join(at.home.edits, "REVIEWS.md.1");
    // A file that is only shorter, and anything that is not a file, holds no foreign text.
    const isKept = !"a line\nb line\n".startsWith(found);
    expect(editCopies(at.files, at.home)).toEqual(
      isKept ? [{ file: "REVIEWS.md", path: copy }] : [],
    );
    expect(at.text().includes(" copy=edits/REVIEWS.md.1")).toBe(isKept);
    if (!isKept) return;
    expect(readFileSync(copy, "utf8")).toBe(found);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(statSync(at.home.edits).mode & 0o777).toBe(0o700);
  },
);

function hasFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

test("equal texts are kept once, different ones in order, and beyond the limit the first ones and the newest", () => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  expect(guarded.append(at.home.reviews, Buffer.from("a line\n")).ok).toBe(true);
  const write = (text: string) => {
    writeFileSync(at.home.reviews, text);
    guarded.stat(at.log);
    expect(readFileSync(at.home.reviews, "utf8")).toBe("a line\n");
  };
  for (const n of [1, 1, 2, 1]) write(`text ${n}\n`);
  const names = () => readdirSync(at.home.edits);
  expect(names()).toEqual(["REVIEWS.md.1", "REVIEWS.md.2"]);
  for (let n = 3; n <= EDIT_COPIES_MAX + 5; n++) write(`text ${n}\n`);
  expect(names()).toHaveLength(EDIT_COPIES_MAX);
  const textOf = (n: number) => readFileSync(join(at.home.edits, `REVIEWS.md.${n}`), "utf8");
  expect(textOf(1)).toBe("text 1\n");
  expect(textOf(EDIT_COPIES_MAX)).toBe(`text ${EDIT_COPIES_MAX + 5}\n`);
});

test.each(["EXDEV", "EPERM", "ENOTSUP"])(
  "where links are impossible (%s) each text is copied once, and beyond the limit the newest is kept",
  (errno) => {
    using at = guardedHome();
    noLinks(at.files, errno);
    const { guarded, say } = at.process();
    say("one");
    for (let n = 1; n <= EDIT_COPIES_MAX + 1; n++) {
      const edit = () => {
        writeFileSync(at.home.reviews, `text ${n}\n`);
        guarded.stat(at.log);
      };
      edit();
      edit();
    }
    const names = readdirSync(at.home.edits);
    expect(names).toHaveLength(EDIT_COPIES_MAX);
    const kept = names.map((name) => readFileSync(join(at.home.edits, name), "utf8"));
    expect(kept[0]).toBe("text 1\n");
    expect(kept.at(-1)).toBe(`text ${EDIT_COPIES_MAX + 1}\n`);
  },
);

function noLinks(files: Files, errno: string): void {
  vi.spyOn(files, "link").mockImplementation((_existing, path) => {
    return { ok: false, failure: FileFailure({ operation: "link", path, errno }) };
  });
}

test("a copy that cannot be a link is limited in size: of a longer file only the difference is kept", () => {
  using at = guardedHome();
  noLinks(at.files, "EXDEV");
  const { guarded, say } = at.process();
  say("one");
  const own = Buffer.from("own\n".repeat(EDIT_BYTES_MAX / 4));
  expect(guarded.append(at.home.reviews, own).ok).toBe(true);
  appendFileSync(at.home.reviews, "by hand\n");
  guarded.stat(at.log);
  expect(readFileSync(join(at.home.edits, "REVIEWS.md.1"), "utf8")).toBe("by hand\n");
});

test.each([
  ["a link", (path: string) => symlinkSync(tmpdir(), path)],
  ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ["a file", (path: string) => writeFileSync(path, "")],
])("%s in place of the folder of kept copies is neither followed nor removed", (_, put) => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  put(at.home.edits);
  const before = lstatSync(at.home.edits).ino;
  writeFileSync(at.home.reviews, "by hand\n");
  guarded.stat(at.log);
  say("two");
  expect(lstatSync(at.home.edits).ino).toBe(before);
  expect(existsSync(join(tmpdir(), "REVIEWS.md.1"))).toBe(false);
  expect(texts(at.text())).toEqual(["one", "grown", "two"]);
});

test("on a full disk a file is not restored over content that could not be kept", () => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  writeFileSync(at.home.reviews, "by hand\n");
  noLinks(at.files, "ENOSPC");
  expect(() => guarded.stat(at.log)).toThrow();
  expect(readFileSync(at.home.reviews, "utf8")).toBe("by hand\n");
  vi.restoreAllMocks();
  guarded.stat(at.log);
  expect(readFileSync(join(at.home.edits, "REVIEWS.md.1"), "utf8")).toBe("by hand\n");
  expect(existsSync(at.home.reviews)).toBe(false);
});

test("session.json is restored as it was read", () => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  writeFileSync(at.home.sessionJson, '{"policy":{}}\n');
  guarded.stat(at.log);
  expect(readFileSync(at.home.sessionJson, "utf8")).toBe("{}\n");
});

test("an `end` record survives an edit of the journal right after it and the death of its process", () => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  const end = "2026-11-20T12:00:00.000Z role.end reason=stopped\n";
  expect(guarded.append(at.log, Buffer.from(end)).ok).toBe(true);
  writeFileSync(at.log, "forged\n");
  at.process().guarded.stat(at.log);
  expect(at.text()).toContain(end);
});

test("a restoration is recorded once, even without any other record", () => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  writeFileSync(at.home.sessionJson, "forged\n");
  for (let time = 0; time < 2; time++)
    expect(guarded.append(at.log, Buffer.alloc(0)).ok).toBe(true);
  expect(texts(at.text())).toEqual(["one", "edited"]);
});

test("rewriting a file with the same content does not count as a change", () => {
  using at = guardedHome();
  const { say } = at.process();
  say("one");
  utimesSync(at.log, 1, 1);
  writeFileSync(at.log, at.text());
  say("two");
  expect(texts(at.text())).toEqual(["one", "two"]);
});

test.each(DAMAGES.filter(([, found]) => found !== "grown"))(
  "a journal that was %s while the role did not run is restored at its next start",
  (_name, found, damage) => {
    using at = guardedHome();
    at.process().say("one");
    const first = at.process();
    first.say("two");
    first.guarded.stat(at.log);
    const before = at.text();
    damage(at.log);
    const next = at.process();
    next.guarded.stat(at.log);
    expect(at.text()).toBe(before);
    next.say("three");
    expect(texts(at.text())).toEqual(["one", "two", found, "three"]);
  },
);

test("records that a killed process appended and did not copy yet stay", () => {
  using at = guardedHome();
  const one = at.process();
  one.say("one");
  one.guarded.stat(at.log);
  one.say("two");
  appendFileSync(at.log, "2026-11-20T12:00:00.000Z note te");
  const other = at.process();
  other.say("three");
  other.guarded.stat(at.log);
  expect(texts(at.text())).toEqual(["one", "two", "three"]);
  expect(at.text()).toContain("note te |torn\n");
  const whole = createHash("sha256").update(at.text()).digest("hex");
  rmSync(at.log);
  at.process().guarded.stat(at.log);
  expect(createHash("sha256").update(at.text()).digest("hex")).toBe(whole);
});

const PLAN = Buffer.from("## Milestone: One\n\n- [ ] Say hello\n");

test.each([
  ["changed", "edited", (path: string) => writeFileSync(path, "## Milestone: Forged\n")],
  ["removed", "missing", (path: string) => rmSync(path)],
  ["a link", "edited", linked],
] as const)(
  "a staged plan that is %s is never read, but restored, even by the next process",
  (_how, found, damage) => {
    using rig = guardedHome();
    const path = planPath(rig.home, createHash("sha256").update(PLAN).digest("hex"));
    mkdirSync(rig.home.plans);
    const first = rig.process();
    first.say("begun");
    expect(first.guarded.create(path, PLAN)).toMatchObject({ ok: true });
    for (const { guarded, say } of [first, rig.process()]) {
      damage(path);
      expect(Buffer.from(value(guarded.read(path)) ?? [])).toEqual(PLAN);
      expect(readFileSync(path)).toEqual(PLAN);
      say("seen");
    }
    expect(texts(rig.text())).toEqual(["begun", found, "seen", found, "seen"]);
  },
);

test("a plan without a copy counts as missing if its content does not match its name", () => {
  using rig = guardedHome();
  const path = planPath(rig.home, createHash("sha256").update(PLAN).digest("hex"));
  mkdirSync(rig.home.plans);
  writeFileSync(path, "## Milestone: Forged\n");
  const { guarded } = rig.process();
  expect(value(guarded.read(path))).toBeUndefined();
  expect(guarded.create(path, PLAN)).toMatchObject({ ok: true });
  expect(readFileSync(path)).toEqual(PLAN);
});

test("records from before a turn are never lost, whatever the turn does to the journal", () => {
  using rig = guardedHome();
  const { guarded, say } = rig.process();
  say("begun");
  const begin = "2026-11-20T12:00:00.000Z turn.begin unit=review:One purpose=review\n";
  guarded.append(rig.log, Buffer.from(begin));
  // It is killed during the turn, after its model has changed the journal.
  writeFileSync(rig.log, "forged\n");
  rig.process().say("again");
  expect(rig.text()).toContain(begin);
  expect(texts(rig.text())).toEqual(["begun", "edited", "again"]);
});

function value<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

test("a record still counts as the role's own if `stat` fails after its append", () => {
  using session = guardedHome();
  const { clock } = createHost();
  const broken = { is: false };
  const files = {
    ...session.files,
    stat: (path: string) => (broken.is ? undefined : session.files.stat(path)),
    append(path: string, bytes: Uint8Array) {
      const appended = session.files.append(path, bytes);
      broken.is = path === session.log;
      return appended;
    },
  };
  const { home } = session;
  const state = join(home.directory, "..", "state");
  const guarded = guardedFiles({
    ...{ role: "reviewer", home, files, clock },
    session: { ...SESSION, state },
  });
  const journal = createJournal({ files: guarded, clock }, session.log, CommonRecord);
  journal.append({ kind: "note", time: journal.time(), text: "one" });
  broken.is = false;
  journal.append({ kind: "note", time: journal.time(), text: "two" });
  expect(session.text()).toMatch(/^\S+ note text=one\n\S+ note text=two\n$/u);
});

test("a foreign change is recorded even if the role itself writes the file next", () => {
  using at = guardedHome();
  const { guarded, say } = at.process();
  say("one");
  guarded.replace(at.home.reviews, Buffer.from("as the role wrote it\n"));
  say("two");
  rmSync(at.home.reviews);
  guarded.replace(at.home.reviews, Buffer.from("as the role writes it now\n"));
  say("three");
  expect(texts(at.text())).toEqual(["one", "two", "missing", "three"]);
  expect(readFileSync(at.home.reviews, "utf8")).toBe("as the role writes it now\n");
});
