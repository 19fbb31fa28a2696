import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROTOCOL_VERSIONS, SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { checkSession } from "../rig/check-session.ts";
import { keptFiles, keptHistory, writeAll } from "../rig/kept-home.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * Homes of every version of the protocol: they can be read, finished, revised and shipped; a revision of one is of version
 * 3. The table in docs/UPGRADES.md says so.
 */

const ID = "a-greeting";
const BRANCH = `wisp/${ID}`;

const item = `### RI-001: Say it louder\n\n**Description:** It is too quiet.\n\n**Acceptance Criteria:**\n\n- [ ] Say it louder\n\n`;

const SCENARIO = `
  build(t) {
    const isItem = t.milestone.startsWith("RI-");
    t.put(isItem ? "hello.txt" : "thanks.txt", isItem ? "HELLO\\n" : "thanks\\n");
    t.commit(isItem ? "Say it louder" : "Say thanks");
    t.tick();
  },
  revise(t) {
    t.print("<revision-plan>\\n" + ${JSON.stringify(item)} + "</revision-plan>");
    t.say({ status: "DONE", summary: "one item" });
  },
`;

/** The kept session of a version, in the state in which its processes were killed. */
function keptSession(version: (typeof PROTOCOL_VERSIONS)[number] = 1): ProcessSession {
  const name = `v${String(version)}-halfway`;
  const session = processSession({ scenario: SCENARIO });
  const { root, repository, env } = session;
  const agent = join(import.meta.dirname, "../fixtures/agent/agent.mjs");
  const places = { root, node: process.execPath, agent };
  rmSync(repository, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", repository], { env });
  session.git("config", "user.name", "Test");
  session.git("config", "user.email", "test@example.invalid");
  const input = keptHistory(name);
  execFileSync("git", ["fast-import", "--quiet"], { cwd: repository, env, input });
  session.git("reset", "-q", "--hard");
  const filesOf = (folder: "home" | "settings" | "state") => keptFiles(name, folder, places);
  const home = filesOf("home");
  const { state } = SessionJson.parse(JSON.parse(home.get("session.json") ?? ""));
  writeAll(join(repository, ".wisp"), filesOf("settings"));
  writeAll(session.home(ID), home);
  writeAll(state, filesOf("state"));
  symlinkSync(`sessions/${ID}`, session.home());
  return session;
}

test.each(PROTOCOL_VERSIONS)(
  "a version %i session whose processes were killed can be shown, finished, revised and shipped",
  async (kept) => {
    await using session = keptSession(kept);
    const version = (id: string) =>
      SessionJson.parse(JSON.parse(session.read("session.json", id))).version;
    const recorded = session.read("logs/builder.log", ID);
    expect(version(ID)).toBe(kept);
    const shown = await session.wisp("status", ID);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain("Two");

    expect(await session.wisp("up", ID)).toMatchObject({ code: 0 });
    expect(session.read("logs/builder.log", ID).startsWith(recorded)).toBe(true);
    expect(session.read("logs/builder.done", ID)).toMatch(/^complete\|/mu);
    expect(session.read("logs/milestones.log", ID).match(/^(?:One|Two)\|/gmu)).toEqual([
      "One|",
      "Two|",
    ]);
    expect(session.git("show", `${BRANCH}:thanks.txt`)).toBe("thanks");
    expect(checkSession(session.home(ID)).broken).toBeUndefined();
    expect((await session.wisp("fsck", ID)).stdout).toContain("in order");
    expect(version(ID)).toBe(kept);

    const revised = await session.wisp("revise", ID, "--problem", "It is too quiet", "--yes");
    expect(revised).toMatchObject({ code: 0 });
    const child = `${ID}/revision-1`;
    expect(version(child)).toBe(3);
    expect(JSON.parse(session.read("session.json", child))).toHaveProperty("madeBy");
    expect(version(ID)).toBe(kept);
    expect(checkSession(session.home(child)).broken).toBeUndefined();
    expect(session.git("show", `${BRANCH}:hello.txt`)).toBe("HELLO");
    for (const id of [ID, child]) {
      expect((await session.wisp("fsck", id)).stdout).toContain("in order");
    }
    expect(await session.wisp("done", "--no-push")).toMatchObject({ code: 0 });
  },
);

test("the table of versions names each version that this wisp continues", () => {
  const table = readFileSync(join(import.meta.dirname, "../../docs/UPGRADES.md"), "utf8");
  expect(table).toContain(`| ${PROTOCOL_VERSIONS.join(", ")} `);
});

test("every command refuses a home of an unknown version, names the wisp to use, and changes nothing", async () => {
  await using session = keptSession();
  const path = join(".wisp", "sessions", ID, "session.json");
  const text = `${JSON.stringify({ version: 4, madeBy: "9.1.0", base: "elsewhere" })}\n`;
  session.write(path, text);
  const logs = () => session.read("logs/builder.log", ID) + session.read("logs/supervisor.log", ID);
  const before = logs();
  for (const words of [["up"], ["status"], ["resume"], ["done"], ["fsck"], ["logs", "--session"]]) {
    const refused = await session.wisp(...words, ID);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("was created by wisp 9.1.0, in version 4 of the protocol");
    expect(refused.stderr).toContain("knows versions 1, 2 and 3");
    expect(refused.stderr).toContain("Continue with wisp 9.1.0 or a later one");
  }
  const list = await session.wisp("list");
  expect(list.stderr).toContain(`${ID} cannot be read`);
  expect(logs()).toBe(before);
  expect(session.read("session.json", ID)).toBe(text);
});
