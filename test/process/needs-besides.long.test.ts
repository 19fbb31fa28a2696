import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { HAS_LFS, pointerTo, stored } from "../git/lfs/lfs-rig.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { farHome, farRoot } from "./far-files.ts";
import { addBesides, NEEDS_BESIDES, NEEDS_BESIDES_CONFIG } from "./needs-besides.ts";

const ID = "a-request";
const BRANCH = `wisp/${ID}`;
const NEW = "new samples ".repeat(20_000);
const MINE = "my samples ".repeat(20_000);

/** The engine reads both, and adds a file under Git LFS, once a file says so. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Add the samples\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    writeFileSync("GATES/begun-" + process.pid, "");
    while (!existsSync("GATES/go")) await setTimeout(20);
    if (!t.read("old.bin").startsWith("old samples ") || !t.read("libs/one/a.txt").startsWith("of one")) return 1;
    t.put("new.bin", "new samples ".repeat(20_000));
    t.put("names.txt", t.read("names.txt") + "new.bin=new samples\n");
    t.commit("Add the samples");
    t.tick();
  },
`;

/** A session of a project whose verify needs both. */
function needing(gates: string): ProcessSession {
  const scenario = SCENARIO.replaceAll("GATES", gates);
  const session = processSession({ scenario, config: NEEDS_BESIDES_CONFIG, files: NEEDS_BESIDES });
  addBesides(session);
  return session;
}

function gatesOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

const lfsOf = (repository: string) => join(repository, ".git", "lfs");

function addRemote(session: ProcessSession): string {
  const remote = join(session.root, "remote.git");
  session.git("init", "-q", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  session.git("push", "-q", "origin", "main");
  session.git("lfs", "push", "origin", "main");
  return remote;
}

async function isComplete(session: ProcessSession): Promise<void> {
  const signs = () => signsIn(farHome(session.home(), ID));
  await eventually(() => expect(session.read("logs/builder.done")).toContain("complete|"), {
    signs,
  });
}

const isBegun = (session: ProcessSession) =>
  session.read("logs/builder.log").includes(" turn.begin ");

describe.skipIf(!HAS_LFS)("content and submodules elsewhere (needs git-lfs)", () => {
  test("a session elsewhere has them, what an engine adds there comes here, and is at the remote when it is done", async () => {
    const gates = gatesOfTest();
    await using session = needing(gates);
    const remote = addRemote(session);
    writeFileSync(join(gates, "go"), "");
    const started = await session.wisp("start", "request.md", "--on", "local", "--yes", "--plain");
    expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
    await isComplete(session);
    const file = pointerTo(NEW);
    await eventually(() =>
      expect(session.git("show", `${BRANCH}:new.bin`)).toBe(file.pointer.trim()),
    );
    expect(stored(lfsOf(session.repository), file)).toBe(NEW);
    const given = join(farRoot(session.home()), "given");
    for (const name of ["repository.contents", "repository.submodules"]) {
      expect(existsSync(join(given, name))).toBe(false);
    }
    const done = await session.wisp("done", "--yes", "--no-pr");
    expect({ code: done.code, said: done.stderr }).toMatchObject({ code: 0 });
    expect(stored(join(remote, "lfs"), file)).toBe(NEW);
    session.git("clone", "-q", "-b", BRANCH, `file://${remote}`, join(session.root, "theirs"));
    expect(readFileSync(join(session.root, "theirs", "new.bin"), "utf8")).toBe(NEW);
  });

  test("what a person commits here meanwhile goes there with its content", async () => {
    const gates = gatesOfTest();
    await using session = needing(gates);
    const started = await session.wisp("start", "request.md", "--on", "local", "--yes", "--detach");
    expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
    await session.until("the turn has begun", () => isBegun(session));
    const mine = join(session.root, "mine");
    session.git("worktree", "add", "-q", mine, BRANCH);
    writeFileSync(join(mine, "mine.bin"), MINE);
    writeFileSync(
      join(mine, "names.txt"),
      `${readFileSync(join(mine, "names.txt"), "utf8")}mine.bin=my samples\n`,
    );
    session.git("-C", mine, "add", "--all");
    session.git("-C", mine, "commit", "-qm", "Add mine");
    session.git("worktree", "remove", mine);
    const far = join(farRoot(session.home()), "repository");
    await eventually(() => expect(stored(lfsOf(far), pointerTo(MINE))).toBe(MINE));
    writeFileSync(join(gates, "go"), "");
    await isComplete(session);
    await eventually(() =>
      expect(session.git("show", `${BRANCH}:mine.bin`)).toBe(pointerTo(MINE).pointer.trim()),
    );
  });

  test("a session that moves takes them along, and what was made before it moved", async () => {
    const gates = gatesOfTest();
    await using session = needing(gates);
    const started = await session.wisp("start", "request.md", "--yes", "--detach");
    expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
    await session.until("the turn has begun", () => isBegun(session));
    const moved = await session.wisp("move", ID, "local");
    expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
    writeFileSync(join(gates, "go"), "");
    await isComplete(session);
    const back = await session.wisp("move", ID, "here");
    expect({ code: back.code, said: back.stderr }).toMatchObject({ code: 0 });
    expect(session.git("show", `${BRANCH}:new.bin`)).toBe(pointerTo(NEW).pointer.trim());
    expect(stored(lfsOf(session.repository), pointerTo(NEW))).toBe(NEW);
  });
});
