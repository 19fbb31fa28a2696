import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { runsHere } from "../rig/runs-here.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";

/*
 * A repository under git-annex: its own settings run a filter on every file, and the content of some files is only what
 * git-annex keeps of it.
 */

const bubblewrap = await workingBubblewrap();
const BUBBLEWRAP = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;
const ANNEX = runsHere(["git-annex", "version"]) ? "" : " (skipped: no git-annex)";

const SANDBOXES = [
  ["without a sandbox", "none", ""],
  [`in bubblewrap${BUBBLEWRAP}`, "{ kind: bubblewrap }", BUBBLEWRAP],
] as const;

const building = (body: string) => String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    ${body}
    t.tick();
  },
`;

/** `locked.bin` is a link to its content, `open.bin` has it, and git has its key. */
function annexed(session: ProcessSession): void {
  const { repository, env, git } = session;
  const annex = (...words: string[]) =>
    execFileSync("git", ["annex", ...words], { cwd: repository, env, stdio: "ignore" });
  git("config", "--global", "user.name", "Test");
  git("config", "--global", "user.email", "test@example.invalid");
  annex("init", "here");
  for (const name of ["locked.bin", "open.bin"]) {
    writeFileSync(join(repository, name), randomBytes(2_000));
    annex("add", name);
  }
  annex("unlock", "open.bin");
  git("commit", "-qm", "Annex");
}

/** The session, and the branch that it made. */
async function complete(session: ProcessSession): Promise<string> {
  const { code, stdout, stderr } = await session.wisp("start", "request.md");
  expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
  expect(checkSession(session.home()).broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  return session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
}

const ANNEXED = ["locked.bin", "open.bin"] as const;

describe.skipIf(ANNEX !== "").each(SANDBOXES)(`git-annex, %s${ANNEX}`, (_, sandbox, why) => {
  describe.skipIf(why !== "")("a session", () => {
    test("completes, and annexed files, locked or not, are as they were", async () => {
      const scenario = building(`t.put("hello.txt", "hello\\n"); t.commit("Say hello");`);
      await using session = processSession({ scenario, sandbox });
      annexed(session);
      const branch = await complete(session);
      expect(session.git("show", `${branch}:hello.txt`)).toBe("hello");
      const listed = (at: string) => session.git("ls-tree", at, ...ANNEXED);
      expect(listed(branch)).toBe(listed("main"));
      expect(session.git("status", "--porcelain", ...ANNEXED)).toBe("");
      expect(session.git("annex", "fsck", "--quiet")).toBe("");
    });

    test.each(ANNEXED)("publishes no content in the place of the key of %s", async (name) => {
      const scenario = building(`
        if (!t.prompt.includes("filter annex")) {
          t.git("rm", "-q", "${name}");
          t.put("${name}", "the whole content\\n");
        }
        t.put("hello.txt", "hello\\n"); t.commit("Say hello");`);
      await using session = processSession({ scenario, sandbox });
      annexed(session);
      const branch = await complete(session);
      expect(session.read("logs/builder.log")).toContain(`${name} (filter annex, in `);
      expect(session.git("diff", "--name-only", "main", branch)).toBe("hello.txt");
    });

    test("publishes nothing that names content which only an agent's clone has", async () => {
      const scenario = building(`
        if (!t.prompt.includes("git-annex")) {
          t.git("annex", "init", "agent");
          t.put("new.bin", "new content\\n");
          t.git("annex", "add", "--force-large", "new.bin");
          t.git("commit", "-qm", "Add new content");
        }
        t.put("hello.txt", "hello\\n"); t.commit("Say hello");`);
      await using session = processSession({ scenario, sandbox });
      annexed(session);
      const branch = await complete(session);
      expect(session.read("logs/builder.log")).toContain("only the agent's clone has");
      expect(session.git("diff", "--name-only", "main", branch)).toBe("hello.txt");
    });
  });
});
