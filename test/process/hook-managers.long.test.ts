import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toolEnvironment } from "../rig/own-environment.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";

/*
 * Programs that manage a person's hooks, as npm ships them: their hooks are the person's, run at `wisp done` as in a push
 * of theirs, and are no part of what wisp commits in clones.
 */

const TOOLS = ["husky@9.1.7", "lefthook@2.2.2"];
const INSTALL_MS_MAX = 3 * 60_000;
const folder = mkdtempSync(join(tmpdir(), "wisp-hooks-"));
const modules = join(folder, "node_modules");

/** Installs them; why that did not work, or "". */
function install(): string {
  const words = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
  const env = { ...process.env, ...toolEnvironment() };
  const options = { cwd: folder, env, timeout: INSTALL_MS_MAX } as const;
  try {
    execFileSync("npm", [...words, ...TOOLS], { ...options, stdio: "ignore" });
    execFileSync("npm", ["pack", "--pack-destination", folder, join(modules, "husky")], {
      ...options,
      stdio: "ignore",
    });
    return "";
  } catch {
    return " (skipped: npm could not install them)";
  }
}
const INSTALLED = install();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bubblewrap = await workingBubblewrap();
const BUBBLEWRAP = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;
const SANDBOXES = [
  ["without a sandbox", "none", ""],
  [`in bubblewrap${BUBBLEWRAP}`, "{ kind: bubblewrap }", BUBBLEWRAP],
] as const;

/** A commit of the agent's own, and one that wisp makes of what is left. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.put("left.txt", "left\n");
    t.tick();
  },
`;

const PACKAGE = {
  name: "app",
  version: "1.0.0",
  scripts: { prepare: "husky" },
  devDependencies: { husky: "file:vendor/husky-9.1.7.tgz" },
};

/** The person's hooks: `pre-commit` refuses every commit, `pre-push` says that it ran. */
const REFUSES = "echo refused by pre-commit; exit 1\n";
const TELLS = "echo pre-push of the person ran\n";

function withRemote(session: ProcessSession): void {
  const remote = join(session.root, "remote.git");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
}

const run = ({ repository, env }: ProcessSession, program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: repository, env: { ...env, CI: "" }, stdio: "ignore" });

/** A repository whose hooks husky manages, as its own guide has it, with setup that runs its \`prepare\` script. */
function withHusky(session: ProcessSession): void {
  session.write("package.json", JSON.stringify(PACKAGE));
  session.write(".gitignore", "node_modules/\n");
  session.write(".husky/pre-commit", REFUSES);
  session.write(".husky/pre-push", TELLS);
  run(session, "mkdir", "vendor");
  run(session, "cp", join(folder, "husky-9.1.7.tgz"), "vendor/");
  session.git("add", "-A");
  session.git("commit", "-qm", "Add husky");
  run(session, "npm", "install", "--offline", "--no-audit", "--no-fund", "--no-package-lock");
}

/** The same with lefthook, whose program is in the person's own folder of packages. */
function withLefthook(session: ProcessSession): void {
  session.write(".gitignore", "node_modules\n");
  const job = (name: string, script: string) =>
    `${name}:\n  jobs:\n    - name: ${name}\n      run: ${JSON.stringify(script)}\n`;
  session.write("lefthook.yml", job("pre-commit", REFUSES) + job("pre-push", TELLS));
  session.git("add", "-A");
  session.git("commit", "-qm", "Add lefthook");
  symlinkSync(modules, join(session.repository, "node_modules"));
  run(session, join(modules, ".bin", "lefthook"), "install");
}

const MANAGERS = [
  ["husky", withHusky, "setup: [[npm, install, --offline, --no-audit, --no-package-lock]]\n"],
  ["lefthook", withLefthook, ""],
] as const;

describe.skipIf(INSTALLED !== "").each(SANDBOXES)(`hooks, %s${INSTALLED}`, (_, sandbox, why) => {
  test.skipIf(why !== "").each(MANAGERS)(
    "of %s do not run in clones and stay the person's, and pre-push runs at done",
    async (name, prepare, config) => {
      await using session = processSession({ scenario: SCENARIO, sandbox, config });
      withRemote(session);
      prepare(session);
      session.write("mine.txt", "mine\n");
      session.git("add", "mine.txt");
      expect(() => run(session, "git", "commit", "-qm", "Refused")).toThrow();
      session.git("rm", "-fq", "mine.txt");
      const settings = join(session.repository, ".git", "config");
      const before = readFileSync(settings, "utf8");
      expect(before.includes(".husky/_")).toBe(name === "husky");
      const { code, stdout, stderr } = await session.wisp("start", "request.md");
      expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
      const branch = "wisp/a-request";
      expect(session.git("diff", "--name-only", "main", branch)).toBe("hello.txt\nleft.txt");
      expect(readFileSync(settings, "utf8")).toBe(before);
      expect(existsSync(join(session.repository, ".git", "hooks", "pre-push"))).toBe(
        name === "lefthook",
      );
      await using terminal = tmuxTerminal(session, { columns: 200, rows: 50 });
      terminal.run("wisp done --no-pr; echo code $?");
      await terminal.shows(/code \d/);
      const shown = terminal.rows().join("\n");
      expect(shown).toContain("pre-push of the person ran");
      expect(shown).toContain("code 0");
      expect(session.git("ls-remote", "origin", `refs/heads/${branch}`)).not.toBe("");
    },
  );
});
