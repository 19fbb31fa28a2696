import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";

const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("app/hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

test("a partial clone with a sparse checkout is refused before a session exists, and works after the command that is named", async () => {
  await using session = processSession({ scenario: SCENARIO });
  const { repository, env, git } = session;
  session.write("big/1.txt", "1\n");
  git("add", "-A");
  git("commit", "-qm", "Add a large folder");
  git("config", "uploadpack.allowFilter", "true");
  const upstream = join(session.root, "upstream");
  renameSync(repository, upstream);
  const words = ["clone", "-q", "--filter=blob:none", "--sparse", `file://${upstream}`, repository];
  execFileSync("git", words, { env });
  for (const name of ["name", "email"]) git("config", `user.${name}`, "ada@example.org");
  git("sparse-checkout", "set", "app", ".wisp");
  session.write("request.md", readFileSync(join(upstream, "request.md"), "utf8"));
  expect(existsSync(join(repository, "big"))).toBe(false);
  for (const option of ["--dry-run", "--yes"]) {
    const refused = await session.wisp("start", "request.md", option);
    expect({ option, ...refused }).toMatchObject({ option, code: 2 });
    expect(refused.stderr).toContain("a partial clone without 1 object of the commit");
    expect(refused.stderr).toContain("git fetch --refetch --no-filter origin");
    expect(git("for-each-ref", "refs/heads/wisp")).toBe("");
    expect(existsSync(join(repository, ".wisp", "sessions"))).toBe(false);
  }
  git("-c", "maintenance.auto=false", "fetch", "-q", "--refetch", "--no-filter", "origin");
  const started = await session.wisp("start", "request.md", "--yes");
  expect({ ...started }).toMatchObject({ code: 0 });
  expect(checkSession(session.home()).broken).toBeUndefined();
  const branch = git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(git("ls-tree", "-r", "--name-only", branch).split("\n")).toEqual(
    expect.arrayContaining(["app/hello.txt", "big/1.txt"]),
  );
  expect(existsSync(join(repository, "big"))).toBe(false);
});
