import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

/*
 * What engines and commands do to a person's checkout without a sandbox, and to the session branch, cannot be undone; each is
 * named at the end.
 */

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

/** Finds a bug whose command runs this script of the commit; the fix makes `hello.txt` friendlier. */
const bug = (script: string) => String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.put("check.sh", ${JSON.stringify(`${script}\ngrep -q you hello.txt\n`)});
    t.commit("Say hello");
    t.tick();
  },
  test(t) {
    if (t.read("hello.txt") === "hello\n") t.needsWork("Bug", "hello.txt", "It says too little", "sh check.sh");
    else t.passed();
  },
  fix(t) { t.put("hello.txt", "hello, you\n"); },
`;

const FILES = {
  "src/a.txt": "a\n",
  "src/b.txt": "b\n",
  "notes.txt": "mine\n",
  ".gitignore": "*.key\n",
};

describe.each([["none"], ["{ kind: bubblewrap, commands: false }"]])(
  "with sandbox: %s",
  (sandbox) => {
    test.skipIf(sandbox !== "none" && WHY !== "")(
      `what a bug's command removes from the checkout is named at the end${WHY}`,
      async () => {
        await using session = processSession({ scenario: ONE_TASK, sandbox, files: FILES });
        const top = session.repository;
        const command = `rm -rf '${top}/src' '${top}/secret.key'; echo theirs >'${top}/notes.txt'`;
        writeFileSync(join(session.root, "scenario.mjs"), `export default {${bug(command)}};\n`);
        session.write("secret.key", "key\n");
        session.write("draft.txt", "mine, and not committed\n");
        const ended = await session.wisp("start", "request.md");
        expect(ended).toMatchObject({ code: 0 });
        const when = "while the tester ran a command without a sandbox, by the command or by you";
        for (const place of ["src/a.txt", "src/b.txt", "secret.key"]) {
          expect(ended.stdout).toContain(`${place} in your checkout was removed ${when}`);
        }
        expect(ended.stdout).toContain(`notes.txt in your checkout was changed ${when}`);
        expect(ended.stdout).not.toContain("draft.txt");
        for (const view of [["status"], ["report"], ["review", "--json"]] as const) {
          const { stdout } = await session.wisp(...view);
          expect(stdout).toContain(`src/a.txt in your checkout was removed`);
        }
      },
    );
  },
);

test("a commit that a reviewer pushes to the session branch is named, and what wisp publishes is not", async () => {
  await using session = processSession({
    scenario: `${ONE_TASK}
      async "review-milestone"(t) {
        const { execFileSync } = await import("node:child_process");
        const hub = t.home + "/../../..";
        const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
        git("switch", "-q", "--detach", t.end);
        t.put("extra.txt", "mine\\n");
        t.commit("Slip in");
        git("-c", "core.hooksPath=/dev/null", "push", "-q", hub, "HEAD:refs/heads/wisp/a-request");
        t.passed();
      },`,
  });
  const ended = await session.wisp("start", "request.md");
  const slipped = session.git("rev-parse", "--short=10", "wisp/a-request");
  expect(session.git("log", "--format=%s", "-1", "wisp/a-request")).toBe("Slip in");
  const named = ended.stdout.match(/commit [0-9a-f]{10}, which no role made, was added to \S+/gu);
  expect(new Set(named)).toEqual(
    new Set([`commit ${slipped}, which no role made, was added to refs/heads/wisp/a-request`]),
  );
});

test("a role that is killed while a command harms the checkout names it when it is back", async () => {
  await using session = processSession({ scenario: ONE_TASK, files: FILES, sandbox: "none" });
  const top = session.repository;
  const flag = join(session.root, "harmed");
  const command = `test -e '${flag}' || { rm -rf '${top}/src'; touch '${flag}'; kill -9 $PPID; }`;
  writeFileSync(join(session.root, "scenario.mjs"), `export default {${bug(command)}};\n`);
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toContain("src/a.txt in your checkout was removed while the tester");
});

test("what a person does with their own files between turns, and ends as it was, is not named", async () => {
  await using session = processSession({ scenario: ONE_TASK, files: FILES, sandbox: "none" });
  mkdirSync(dirname(join(session.repository, "build/x")), { recursive: true });
  session.write("draft.txt", "mine\n");
  const ended = await session.wisp("start", "request.md");
  rmSync(join(session.repository, "draft.txt"));
  expect(ended.stdout).not.toContain("in your checkout");
});
