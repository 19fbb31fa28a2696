import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { spilled } from "../rig/spilled.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

/** Composed, so that no scenario contains it. */
const SECRET = ["canary", "of", "somebody", "else"].join("-");

/**
 * The builder's first turn changes its clone's git settings to let later turns see more; its next turn, and those of
 * the other roles, print what they see.
 */
const WALKS = String.raw`
  ...(await (async () => {
    const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = await import("node:fs");
    const { dirname } = await import("node:path");
    const { spawnSync } = await import("node:child_process");
    const { HOME } = process.env;
    const own = HOME + "/private";
    const add = (path, text) => { mkdirSync(dirname(path), { recursive: true }); appendFileSync(path, text); };
    const said = (...argv) => spawnSync(argv[0], argv.slice(1), { encoding: "utf8" });
    const git = (...args) => { const { status, stdout } = said("git", ...args); return status + " " + stdout; };
    const plants = () => {
      const borrowed = [own + "/.git/objects", HOME + "/.ssh", "../../../../../../.ssh", HOME];
      add(".git/objects/info/alternates", borrowed.join("\n") + "\n");
      add(".git/config", "[include]\n\tpath = " + own + "/.git/config\n[extensions]\n\tworktreeConfig = true\n");
      add(".git/config.worktree", "[include]\n\tpath = " + own + "/.git/config\n");
      add(".git/commondir", own + "/.git\n");
      add(".git/modules/s/config", "[core]\n\tworktree = " + HOME + "\n");
      add(".git/worktrees/s/gitdir", own + "/.git\n");
      add("s/.git", "gitdir: " + own + "/.git\n");
    };
    const looks = (t) => {
      const shows = {
        request: readFileSync(t.home + "/request.md", "utf8").slice(0, 11),
        log: git("log", "-1", "--format=%s"),
        blob: git("cat-file", "blob", readFileSync(t.home + "/../../../blob.txt", "utf8").trim()),
        config: git("config", "--list", "--show-origin"),
        holding: said("grep", "-rsl", "some" + "body-else", HOME, ".").stdout,
        clones: said("find", HOME, "-path", "*/.git/HEAD").stdout,
        keys: said("ls", HOME + "/.ssh", own).stdout,
      };
      t.print("LOOKED " + JSON.stringify({ purpose: t.purpose, cwd: process.cwd(), ...shows }));
    };
    return {
      plan: (t) => t.plan(
        ["One", "Two"].map((name) => "## Milestone: " + name + "\n\n- [ ] Do " + name + "\n").join("\n")),
      build(t) {
        if (t.milestone === "Two") looks(t);
        t.put(t.milestone + ".txt", "done\n");
        t.put(".gitmodules", "[submodule \"s\"]\n\tpath = s\n\turl = " + own + "\n");
        t.commit("Do " + t.milestone);
        t.tick();
        if (t.milestone === "One") plants();
      },
      "review-milestone": (t) => { looks(t); t.passed(); },
      test: (t) => { looks(t); t.passed(); },
      "final-test": (t) => { looks(t); t.passed(); },
    };
  })()),`;

/** What one turn saw. */
const Seen = z.object({
  purpose: z.string(),
  cwd: z.string(),
  request: z.string(),
  log: z.string(),
  blob: z.string(),
  config: z.string(),
  holding: z.string(),
  clones: z.string(),
  keys: z.string(),
});
type Seen = z.infer<typeof Seen>;

/** What each turn of the session saw. */
function seenIn(session: ProcessSession): readonly Seen[] {
  const turns = join(session.home(), "logs", "turns");
  return readdirSync(turns).flatMap((name) => {
    const [, text] = /^LOOKED (.*)$/mu.exec(session.read(join("logs/turns", name))) ?? [];
    return text === undefined ? [] : [Seen.parse(JSON.parse(text))];
  });
}

/** Writes files that no turn may see: keys, another repository, and wisp's state of another one. */
function plantOthers({ env }: ProcessSession): string {
  const { HOME: home = "" } = env;
  const paths = [
    ".ssh/id_rsa",
    "private/key",
    ".local/state/wisp/other-12345678/session/builder/clone/src.js",
    ".local/state/wisp/other-12345678/.caches/npm/package",
  ];
  for (const path of paths) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), `${SECRET}\n`);
  }
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", join(home, "private"), ...args], { env, encoding: "utf8" }).trim();
  git("init", "-q");
  git("config", "http.extraheader", SECRET);
  return git("hash-object", "-w", "key");
}

describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
  test("git settings that a turn writes into its clone show later turns nothing, and no turn sees another role's clone", async () => {
    await using session = processSession({
      scenario: WALKS,
      sandbox: "auto",
      files: { "blob.txt": "" },
    });
    const blob = plantOthers(session);
    session.write("blob.txt", blob);
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    expect(session.read("session.json")).toContain('"kind": "bubblewrap"');
    expect(checkSession(session.home()).broken).toBeUndefined();
    const seen = seenIn(session);
    const purposes = new Set(seen.map(({ purpose }) => purpose));
    expect([...purposes].sort()).toEqual(["build", "final-test", "review-milestone", "test"]);
    for (const { purpose, cwd, ...shown } of seen) {
      expect([purpose, shown.request]).toEqual([purpose, "# A request"]);
      expect([purpose, shown.log]).toEqual([purpose, expect.stringMatching(/^0 /u)]);
      expect([purpose, shown.blob]).toEqual([purpose, "128 "]);
      expect([purpose, shown.holding]).toEqual([purpose, ""]);
      expect([purpose, shown.clones]).toEqual([purpose, `${cwd}/.git/HEAD\n`]);
      expect([purpose, shown.keys]).toEqual([purpose, ""]);
      expect(shown.config).not.toContain(SECRET);
    }
    const { repository, env } = session;
    const state = join(env["HOME"] ?? "", ".local", "state", "wisp");
    const ownState = readdirSync(state).filter((name) => name !== "other-12345678");
    const kept = [repository, ...ownState.map((name) => join(state, name))];
    expect(spilled(SECRET, kept)).toEqual([]);
  });
});
