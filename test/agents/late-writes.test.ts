import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { expect, test } from "vitest";
import { guardedFiles } from "../../src/home/own-files.ts";
import { SharedFiles } from "../../src/home/shared-files.ts";
import type { Files } from "../../src/base/ports/files.ts";
import type { Role } from "../../src/base/role.ts";
import { EDIT_COPIES_MAX, editCopies } from "../../src/fs-protocol/home/edit-copies.ts";
import { homeAt, planPath, roleLog, type Home } from "../../src/fs-protocol/home/home.ts";
import { createHost } from "../../src/host/host.ts";
import { endProcess } from "../rig/marked-processes.ts";
import { SESSION } from "../rig/session.ts";

/*
 * Programs save a file in place: they open it, which empties it, and write its new content. A role may check the file
 * in between or after a partial write, and restore it. What the program writes after that must still be kept.
 */

const NOTE = "2026-11-20T12:00:00.000Z note text=one\n";
const PLAN = Buffer.from("## Milestone: One\n\n- [ ] Say hello\n");
const PLAN_SHA = createHash("sha256").update(PLAN).digest("hex");
const OWN = "## Milestone: One\n\n- [x] Say hello\n";

/** A home on a real disk, with a role that has written its files; `look()` is its regular check. */
function homeOf(role: Role, alter: (files: Files) => Files = (files) => files) {
  const root = mkdtempSync(join(tmpdir(), "wisp-"));
  const home = homeAt(join(root, "home"));
  for (const directory of [home.logs, home.plans]) mkdirSync(directory, { recursive: true });
  writeFileSync(home.sessionJson, "{}\n");
  writeFileSync(home.humanLog, "");
  writeFileSync(home.request, "# A request\n\nDo the thing.\n");
  const host = createHost();
  const files = alter(host.files);
  const session = { ...SESSION, state: join(root, "state") };
  const own = guardedFiles({ role, home, session, files, clock: host.clock });
  const shared = new SharedFiles({ ports: { ...host, files }, home, session });
  const log = roleLog(home, role);
  own.stat(log);
  const look = async () => {
    own.stat(log);
    own.read(planPath(home, PLAN_SHA));
    await shared.restoreChanged();
  };
  return {
    home,
    log,
    own,
    look,
    begin: async () => {
      for (const path of [home.reviews, home.bugs, home.progress, home.changes, log]) {
        own.append(path, Buffer.from(NOTE));
      }
      for (const path of [home.tasks, home.stuckHint]) own.replace(path, Buffer.from(OWN));
      own.create(planPath(home, PLAN_SHA), PLAN);
      await look();
    },
    /** The texts of all kept copies. */
    kept: () => editCopies(files, home).map(({ path }) => readFileSync(path, "utf8")),
    [Symbol.dispose]: () => {
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Files that are restored, and the role that restores each. */
const FILES: readonly (readonly [string, Role, (home: Home) => string])[] = [
  ["TASKS.md", "builder", (home) => home.tasks],
  [".stuck-hint.md", "builder", (home) => home.stuckHint],
  ["REVIEWS.md", "reviewer", (home) => home.reviews],
  ["BUGS.md", "tester", (home) => home.bugs],
  ["session.json", "planner", (home) => home.sessionJson],
  ["a journal", "reviewer", (home) => roleLog(home, "reviewer")],
  ["logs/human.log", "builder", (home) => home.humanLog],
  ["request.md", "builder", (home) => home.request],
  ["a staged plan", "builder", (home) => planPath(home, PLAN_SHA)],
  ["a file that is not there", "reviewer", (home) => home.reviewerCheckpoint],
];

const TYPED = "what a person typed\n";

test.each(FILES)(
  "text written into %s after it was emptied and restored is kept",
  async (_name, role, pathIn) => {
    using at = homeOf(role);
    await at.begin();
    const path = pathIn(at.home);
    // Otherwise it is empty, and nothing could be lost.
    if (path === at.home.humanLog) writeFileSync(path, NOTE);
    await at.look();
    const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    const open = openSync(path, "w");
    await at.look();
    expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(before);
    expect(at.kept()).toEqual([]);
    writeSync(open, TYPED);
    closeSync(open);
    await at.look();
    expect(at.kept()).toEqual([TYPED]);
    expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(before);
  },
);

test.each(FILES)(
  "text saved over %s during its restoration is kept, even by a rename at the last moment",
  async (_name, role, pathIn) => {
    let isToSave = false;
    let path = "";
    const saveOver = () => {
      if (!isToSave) return;
      isToSave = false;
      writeFileSync(`${dirname(path)}.saved`, TYPED);
      renameSync(`${dirname(path)}.saved`, path);
    };
    using at = homeOf(role, (files) => ({
      ...files,
      replace: (...args) => {
        if (args[0] === path) saveOver();
        return files.replace(...args);
      },
      remove: (removed) => files.remove(removed),
    }));
    await at.begin();
    path = pathIn(at.home);
    if (path === at.home.humanLog) writeFileSync(path, NOTE);
    await at.look();
    if (!existsSync(path)) return;
    const before = readFileSync(path, "utf8");
    writeFileSync(path, "something else\n");
    isToSave = true;
    await at.look();
    expect(isToSave).toBe(false);
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(at.kept()).toContain(TYPED);
  },
);

test("a program that empties a file, waits until it is restored, and then writes loses nothing, 50 times in a row", async () => {
  await using writer = await slowWriter();
  using at = homeOf("builder");
  await at.begin();
  const { tasks, request, sessionJson } = at.home;
  const own = new Map([tasks, request, sessionJson].map((path) => [path, readFileSync(path)]));
  for (let round = 0; round < 50; round++) {
    const path = [tasks, request, sessionJson][round % 3] ?? tasks;
    await writer.ask({ open: path });
    expect(readFileSync(path, "utf8")).toBe("");
    await at.look();
    expect(readFileSync(path)).toEqual(own.get(path));
    await writer.ask({ write: `round ${round}\n` });
    await at.look();
    expect(readFileSync(path)).toEqual(own.get(path));
    expect(at.kept()).toEqual([`round ${round}\n`]);
    // A person has dealt with the copy.
    rmSync(at.home.edits, { recursive: true });
  }
});

/** A process that opens a file like `>` in a shell, and writes on command. */
async function slowWriter() {
  const program = String.raw`
    const { closeSync, openSync, writeSync } = require("node:fs");
    let fd;
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { open, write } = JSON.parse(line);
      if (open !== undefined) fd = openSync(open, "w");
      else { writeSync(fd, write); closeSync(fd); }
      console.log("done");
    });
  `;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  await once(child, "spawn");
  const lines = createInterface({ input: child.stdout });
  return {
    async ask(order: { readonly open: string } | { readonly write: string }): Promise<void> {
      const done = once(lines, "line");
      child.stdin.write(`${JSON.stringify(order)}\n`);
      await done;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      if (child.pid !== undefined) endProcess(child.pid);
      await ended;
    },
  };
}

const PROGRAMS = [0, 1, 2] as const;
/**
 * What programs may do, each with one file, while a role checks from time to time and a person deals with the copies.
 */
const STEPS = fc.array(
  fc.record({
    does: fc.constantFrom("open", "write", "write", "close", "rename", "look", "look", "clear"),
    who: fc.constantFrom(...PROGRAMS),
  }),
  { maxLength: 24 },
);

/** Programs that each save their own file, and all text that they wrote and did not overwrite themselves. */
function programsOn(paths: readonly string[]) {
  const open = new Map<number, number>();
  const written: string[] = [];
  const close = (who: number) => {
    const fd = open.get(who);
    if (fd !== undefined) closeSync(fd);
    open.delete(who);
  };
  const path = (who: number) => paths[who] ?? "";
  return {
    written,
    close,
    open: (who: number) => {
      close(who);
      open.set(who, openSync(path(who), "w"));
    },
    write: (who: number, text: string) => {
      const fd = open.get(who);
      if (fd === undefined) return;
      writeSync(fd, text);
      written.push(text);
    },
    rename: (who: number, text: string) => {
      close(who);
      writeFileSync(`${path(who)}.new`, text);
      renameSync(`${path(who)}.new`, path(who));
      written.push(text);
    },
  };
}

test("every text that programs write is kept, whenever a role checks in between", async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      using at = homeOf("builder");
      await at.begin();
      const programs = programsOn([at.home.tasks, at.home.request, at.home.stuckHint]);
      for (const [nth, { does, who }] of steps.entries()) {
        const text = `step ${nth} of ${who}.\n`;
        switch (does) {
          case "write":
            programs.write(who, text);
            break;
          case "close":
            programs.close(who);
            break;
          case "open":
          case "rename":
            // A program that overwrites its own text before any check does so on purpose.
            await at.look();
            programs[does](who, text);
            break;
          case "look":
            await at.look();
            break;
          case "clear":
            for (const each of PROGRAMS) programs.close(each);
            rmSync(at.home.edits, { recursive: true, force: true });
            programs.written.length = 0;
        }
      }
      for (const each of PROGRAMS) programs.close(each);
      await at.look();
      const kept = at.kept().join("");
      const isFull = existsSync(at.home.edits) && readdirSync(at.home.edits).some(isLast);
      if (!isFull) for (const text of programs.written) expect(kept).toContain(text);
    }),
    { numRuns: 60, seed: 20_261_123 },
  );
});

/** The limit of copies for each file. */
function isLast(name: string): boolean {
  return name.endsWith(`.${EDIT_COPIES_MAX}`);
}
