import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";
import { farHome } from "./far-files.ts";
import { NEEDS_REFS, NEEDS_REFS_CONFIG, tagBase } from "./needs-refs.ts";

/** The engine asks git for a version in its own clone, as builds of many projects do. */
const NOTE_VERSION = String.raw`
    const { execFileSync } = await import("node:child_process");
    const git = (...words) => execFileSync("git", words, { encoding: "utf8" });
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.put("version.txt", git("describe") + git("tag") + git("diff", "--name-only", "main...HEAD"));
    t.commit("Note the version");
    t.tick();
`;

const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Note the version\n"),
  async build(t) {${NOTE_VERSION}},
`;

/** The same, once a file says so. */
const GATED = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Note the version\n"),
  async build(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    writeFileSync("GATES/begun-" + process.pid, "");
    while (!existsSync("GATES/go")) await setTimeout(20);${NOTE_VERSION}},
`;

/** What these print one commit after the tag of the base, when it is the only one. */
const VERSION = /^v1\.0-1-g[0-9a-f]+\nv1\.0\nhello\.txt$/u;

/** A session of a project whose verify needs a tag, its branch and its upstream. */
function versioned(options: Parameters<typeof processSession>[0]): ProcessSession {
  const session = processSession({ config: NEEDS_REFS_CONFIG, files: NEEDS_REFS, ...options });
  tagBase(session);
  return session;
}

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.skipIf(!isThere)(
    "verify and engines that ask for the last tag, the branch and its upstream get what the checkout has",
    async () => {
      await using session = versioned({ scenario: SCENARIO, sandbox });
      const started = await session.wisp("start", "request.md");
      expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
      expect(session.git("show", "wisp/a-request:version.txt")).toMatch(VERSION);
    },
  );
});

test("a session that began before references were kept gets them when it goes on", async () => {
  const gates = gatesOfTest();
  await using session = versioned({ scenario: GATED.replaceAll("GATES", gates) });
  session.spawn("start", "request.md", "--yes");
  await session.until("the turn has begun", () => isBegun(session));
  await session.killAll();
  const { state } = SessionJson.parse(JSON.parse(session.read("session.json")));
  rmSync(join(state, "refs"), { recursive: true });
  rmSync(join(state, "builder", "clone", ".git", "packed-refs"));
  writeFileSync(join(gates, "go"), "");
  const ended = await session.wisp("up");
  expect({ code: ended.code, said: ended.stderr }).toMatchObject({ code: 0 });
  expect(session.git("show", "wisp/a-request:version.txt")).toMatch(VERSION);
});

test("a session elsewhere has them, and one that moves keeps those with which it began", async () => {
  const gates = gatesOfTest();
  await using session = versioned({ scenario: GATED.replaceAll("GATES", gates) });
  session.write("there.md", "# There\n\nNote the version.\n");
  session.write("moved.md", "# Moved\n\nNote the version.\n");
  for (const words of [["moved.md"], ["there.md", "--on", "local"]]) {
    const started = await session.wisp("start", ...words, "--yes", "--detach");
    expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
  }
  await session.until("the turn has begun", () => isBegun(session, "moved"));
  session.git("tag", "later");
  const moved = await session.wisp("move", "moved", "local");
  expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
  writeFileSync(join(gates, "go"), "");
  for (const id of ["moved", "there"]) {
    await eventually(() => expect(session.read("logs/builder.done", id)).toContain("complete|"), {
      signs: () => signsIn(farHome(session.home(id), id)),
    });
    await eventually(() => expect(session.git("show", `wisp/${id}:version.txt`)).toMatch(VERSION));
  }
});

function isBegun(session: ProcessSession, id?: string): boolean {
  return session.read("logs/builder.log", id).includes(" turn.begin ");
}

function gatesOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}
