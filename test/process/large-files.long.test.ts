import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentIn, HAS_LFS, pointerTo, stored } from "../git/lfs/lfs-rig.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

const CONTENT = "weights ".repeat(50_000);
const BRANCH = "wisp/a-request";

/** The agent writes a file under Git LFS, and commits it as a person would. */
const WEIGHTS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Add the weights\n"),
  build(t) {
    t.put("weights.bin", "weights ".repeat(50_000));
    t.git("add", "weights.bin");
    t.git("commit", "-qm", "Add the weights");
    t.tick();
  },
`;

const FILES = { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" };

/** A session whose person has git-lfs in their settings. */
function withLfs(options: Parameters<typeof processSession>[0]): ProcessSession {
  const session = processSession({ files: FILES, ...options });
  session.git("lfs", "install", "--skip-repo");
  return session;
}

function addRemote(session: ProcessSession): string {
  const remote = join(session.root, "remote.git");
  session.git("init", "-q", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  return remote;
}

const lfsOf = ({ repository }: ProcessSession) => join(repository, ".git", "lfs");

describe.skipIf(!HAS_LFS)("files under Git LFS (needs git-lfs)", () => {
  describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
    test.skipIf(!isThere)(
      "what an engine adds is in the repository at the end, and at the remote when it is done",
      async () => {
        await using session = withLfs({ scenario: WEIGHTS, sandbox });
        const remote = addRemote(session);
        const started = await session.wisp("start", "request.md");
        expect(started).toMatchObject({ code: 0 });
        const file = pointerTo(CONTENT);
        expect(session.git("show", `${BRANCH}:weights.bin`)).toBe(file.pointer.trim());
        expect(stored(lfsOf(session), file)).toBe(CONTENT);
        expect(await session.wisp("done", "--yes", "--no-pr")).toMatchObject({ code: 0 });
        expect(stored(join(remote, "lfs"), file)).toBe(CONTENT);
        session.git("clone", "-q", "-b", BRANCH, `file://${remote}`, join(session.root, "theirs"));
        const theirs = join(session.root, "theirs", "weights.bin");
        expect(readFileSync(theirs, "utf8")).toBe(CONTENT);
      },
    );
  });

  test("a pointer to nothing is no progress, the reason names the file, and the next attempt may mend it", async () => {
    const lost = pointerTo("nobody has this").pointer;
    await using session = withLfs({
      scenario: String.raw`
        plan: (t) => t.plan("## Milestone: One\n\n- [ ] Add the weights\n"),
        build(t) {
          t.put("weights.bin", t.prompt.includes("pointer of Git LFS") ? "mended" : ${JSON.stringify(lost)});
          t.git("add", "weights.bin");
          t.git("commit", "-qm", "Add the weights");
          t.tick();
        },
      `,
    });
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    expect(session.read("logs/builder.log")).toMatch(
      / build\.end .* reason="weights\.bin: the commits have a pointer of Git LFS.* outcome=noprogress /,
    );
    expect(stored(lfsOf(session), pointerTo("mended"))).toBe("mended");
  });

  test("a remote that takes no content gets no branch, and nothing is removed", async () => {
    await using session = withLfs({ scenario: WEIGHTS });
    const remote = addRemote(session);
    session.git("config", "lfs.url", "http://127.0.0.1:9/none");
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    const refused = await session.wisp("done", "--yes", "--no-pr");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Content of files under Git LFS was not uploaded to origin:");
    expect(refused.stderr).toContain("wisp done a-request --no-push");
    expect(session.git("ls-remote", remote)).toBe("");
    expect(existsSync(contentIn(lfsOf(session), pointerTo(CONTENT).sha256))).toBe(true);
    expect((await session.wisp("status")).stdout).not.toContain("was shipped");
    session.git("config", "--unset", "lfs.url");
    expect(await session.wisp("done", "--yes", "--no-pr")).toMatchObject({ code: 0 });
    expect(stored(join(remote, "lfs"), pointerTo(CONTENT))).toBe(CONTENT);
  });
});
