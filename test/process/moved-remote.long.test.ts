import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkSession } from "../rig/check-session.ts";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

const BRANCH = "wisp/a-request";
const Refused = z.object({ error: z.object({ message: z.string(), next: z.array(z.string()) }) });

/** Two milestones; `meanwhile.sh`, which the test writes, runs while the second is built. */
const TWO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  build(t) {
    if (t.milestone === "One") t.put("hello.txt", "hello\n");
    else {
      execFileSync("sh", [MEANWHILE]);
      t.put("thanks.txt", "thanks\n");
    }
    t.commit(t.milestone);
    t.tick();
  },
`;

/** One milestone; `meanwhile.sh` runs while it is tested. */
const ONE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
  test(t) {
    execFileSync("sh", [MEANWHILE]);
    t.passed();
  },
`;

interface Moving extends AsyncDisposable {
  readonly session: ProcessSession;
  readonly remote: string;
}

/** A session that pushes at each boundary, with a shell script that the scenario runs. */
function moving(script: (theirs: string, remote: string) => string, plays = TWO): Moving {
  const session = processSession({
    scenario: "",
    config: "publish: { remote: origin, at: boundary }\n",
  });
  const remote = join(session.root, "remote.git");
  const theirs = join(session.root, "theirs");
  const meanwhile = join(session.root, "meanwhile.sh");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  writeFileSync(meanwhile, `set -e\nexec >/dev/null 2>&1\n${script(theirs, remote)}`);
  const head = `import { execFileSync } from "node:child_process";\nconst MEANWHILE = ${JSON.stringify(meanwhile)};\n`;
  writeFileSync(join(session.root, "scenario.mjs"), `${head}export default {\n${plays}\n};\n`);
  return { session, remote, [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
}

/** A colleague clones the remote, commits a file, and pushes. */
const PUSHES = (file: string) => (theirs: string, remote: string) => `
git clone -q --branch ${BRANCH} '${remote}' '${theirs}'
cd '${theirs}'
echo theirs > ${file}
git add -A
git -c user.name=Grace -c user.email=grace@example.invalid commit -qm 'theirs'
git push -q origin ${BRANCH}
`;

function remoteHead({ session }: Moving): string {
  return session.git("ls-remote", "origin", `refs/heads/${BRANCH}`).split("\t")[0] ?? "";
}

/** References in the user's repository that keep what was fetched of the remote's branch. */
const keptTips = ({ session }: Moving) => session.git("for-each-ref", "refs/wisp/remote");

const pushes = ({ session }: Moving) =>
  session
    .read("logs/builder.log")
    .split("\n")
    .filter((line) => line.includes(" remote.push "));

test("seed 003 D: commits that others push during a run are merged, verified, reviewed, and pushed with the rest", async () => {
  await using at = moving(PUSHES("theirs.txt"));
  const { session } = at;
  expect(await session.wisp("start", "request.md", "--yes")).toMatchObject({ code: 0 });
  const head = session.git("rev-parse", BRANCH);
  expect(remoteHead(at)).toBe(head);
  const subjects = session.git("log", "--first-parent", "--format=%s", BRANCH).split("\n");
  expect(subjects.filter((subject) => subject.startsWith("Merge branch"))).toHaveLength(1);
  expect(session.git("show", `${BRANCH}:theirs.txt`)).toBe("theirs");
  expect(pushes(at).some((line) => line.includes("took="))).toBe(true);
  expect(session.read("logs/reviewer.checkpoint").trim()).toContain(head);
  expect(await session.wisp("done", "--dry-run")).toMatchObject({ code: 0 });
  expect(checkSession(session.home()).broken).toBeUndefined();
  expect(await session.wisp("fsck")).toMatchObject({ code: 0 });
  expect(keptTips(at)).not.toBe("");
  expect(await session.wisp("done", "--no-pr")).toMatchObject({ code: 0 });
  expect(keptTips(at)).toBe("");
});

/**
 * A colleague adds a commit to the session's branch and pushes it; meanwhile the person has the branch checked out.
 */
const BUILDS_ON = (theirs: string, remote: string) => `
git clone -q --branch ${BRANCH} '${join(remote, "..", "repository")}' '${theirs}'
cd '${theirs}'
echo theirs > theirs.txt
git add -A
git -c user.name=Grace -c user.email=grace@example.invalid commit -qm 'theirs'
git push -q '${remote}' ${BRANCH}
git -C '${join(remote, "..", "repository")}' switch -q ${BRANCH}
`;

test("seed 003 D: commits that others added on top are fast-forwarded to and reviewed once the branch is no longer checked out", async () => {
  await using at = moving(BUILDS_ON, ONE);
  const { session } = at;
  session.spawn("start", "request.md", "--yes");
  const waits = () =>
    /unit\.wait unit=remote:1 .*checked out/u.test(session.read("logs/builder.log"));
  await session.until("the wait for the branch", waits);
  const tip = remoteHead(at);
  expect(session.git("rev-parse", BRANCH)).not.toBe(tip);
  const { stdout } = await session.wisp("status");
  expect(stdout).toMatch(/builder .*checked out in .*repository/u);
  session.git("switch", "-q", "main");
  await session.until("the end", () => session.read("logs/builder.log").includes(" done "));
  expect([session.git("rev-parse", BRANCH), remoteHead(at)]).toEqual([tip, tip]);
  expect(session.git("log", "--format=%s", `main..${BRANCH}`).split("\n")).toEqual([
    "theirs",
    "Say hello",
  ]);
  expect(pushes(at)).toHaveLength(1);
  expect(pushes(at)[0]).toContain(` at=${tip} outcome=pushed took=${tip}`);
  const reviews = session.read("logs/reviewer.log").split("\n");
  const ofTheirs = reviews.filter((line) => line.includes(` review.end unit=commit:${tip} `));
  expect(ofTheirs).toHaveLength(1);
  expect(checkSession(session.home()).broken).toBeUndefined();
});

test("seed 003 D: a conflict leads to one question; after the answer `leave` the session completes without the remote", async () => {
  await using at = moving(PUSHES("thanks.txt"));
  const { session } = at;
  expect(await session.wisp("start", "request.md", "--yes")).not.toMatchObject({ code: 1 });
  const status = await session.wisp("status");
  expect(status.stdout).toContain("has commits that conflict with those here, in thanks.txt");
  expect(status.stdout).toContain(`git pull --no-rebase origin ${BRANCH}`);
  const before = remoteHead(at);
  await session.wisp("answer", "a-request", "builder-1", "leave");
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(remoteHead(at)).toBe(before);
  expect(pushes(at).filter((line) => line.includes("outcome=needs_input"))).toHaveLength(1);
  const end = await session.wisp("status");
  expect(end.stdout).toContain("origin is left alone, as you asked");
  const preview = await session.wisp("done", "--dry-run");
  expect(preview.code).toBe(1);
  expect(preview.stderr).toContain("has commits that the session's branch lacks");
  expect(preview.stderr).toContain("wisp resume a-request");
  expect(keptTips(at)).not.toBe("");
  expect(await session.wisp("abandon", "a-request", "--yes")).toMatchObject({ code: 0 });
  expect([keptTips(at), remoteHead(at)]).toEqual(["", before]);
});

test("a remote that disappears does not stop the session, and is reported at the end, by status and by done", async () => {
  await using at = moving((_, remote) => `mv '${remote}' '${remote}.away'\n`);
  const { session, remote } = at;
  const ran = await session.wisp("start", "request.md", "--yes");
  expect(ran.code).toBe(0);
  const says = /the last push to origin failed: .*remote\.git/u;
  expect(ran.stdout + ran.stderr).toMatch(says);
  expect((await session.wisp("status")).stdout).toMatch(says);
  const preview = await session.wisp("done", "--dry-run");
  expect(preview.code).toBe(1);
  expect(preview.stderr).toContain("origin could not be reached");
  renameSync(`${remote}.away`, remote);
  expect(existsSync(remote)).toBe(true);
  expect(await session.wisp("done", "--no-pr")).toMatchObject({ code: 0 });
  expect(remoteHead(at)).toBe(session.git("rev-parse", BRANCH));
});

test("a remote's reason for rejecting a push is reported in its own words, cleaned, and done pushes once it accepts", async () => {
  await using at = moving((_, remote) => {
    const hook = join(remote, "hooks", "pre-receive");
    return `printf '#!/bin/sh\\nprintf "\\\\033[31mprotected" >&2; exit 1\\n' > '${hook}'\nchmod +x '${hook}'\n`;
  });
  const { session, remote } = at;
  const ran = await session.wisp("start", "request.md", "--yes");
  expect(ran.code).toBe(0);
  expect(ran.stdout + ran.stderr).toMatch(/the last push to origin failed: .*protected/u);
  expect(ran.stdout + ran.stderr).not.toContain("\u001b[31m");
  const preview = await session.wisp("done", "--dry-run");
  expect(preview.stdout).toMatch(/the last push to origin failed: .*protected/u);
  chmodSync(join(remote, "hooks", "pre-receive"), 0o644);
  expect(await session.wisp("done", "--no-pr")).toMatchObject({ code: 0 });
  expect(remoteHead(at)).toBe(session.git("rev-parse", BRANCH));
});

test("if only done pushes, it names the commands that merge what others pushed, and these lead to a shipped session", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  const remote = join(session.root, "remote.git");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  session.git("push", "--quiet", "origin", `main:refs/heads/${BRANCH}`);
  writeFileSync(
    join(session.root, "push.sh"),
    `set -e\n${PUSHES("theirs.txt")(join(session.root, "theirs"), remote)}`,
  );
  execFileSync("sh", [join(session.root, "push.sh")], { stdio: "ignore" });
  const ours = session.git("rev-parse", BRANCH);
  const theirs = session.git("ls-remote", "origin", `refs/heads/${BRANCH}`).split("\t")[0] ?? "";

  const refused = await session.wisp("done", "--no-pr", "--json");
  expect(refused).toMatchObject({ code: 1 });
  const { error } = Refused.parse(JSON.parse(refused.stdout));
  expect(error.message).toContain("somebody else pushed");
  // The commands are only named: neither branch has changed.
  expect(session.git("rev-parse", BRANCH)).toBe(ours);
  expect(session.git("ls-remote", "origin", `refs/heads/${BRANCH}`)).toContain(theirs);
  // As a person types them in a shell.
  const wisp = `wisp() { ${process.execPath} ${WISP} "$@"; }`;
  const typed = [...error.next.slice(0, -1), `${error.next.at(-1) ?? ""} --no-pr`].join("\n");
  execFileSync("sh", ["-ec", `${wisp}\n${typed}`], {
    ...{ cwd: session.repository, stdio: "pipe" },
    env: { ...session.env, GIT_MERGE_AUTOEDIT: "no" },
  });
  const taken = session.git("rev-parse", BRANCH);
  for (const side of [ours, theirs]) session.git("merge-base", "--is-ancestor", side, taken);
  expect(session.git("ls-remote", "origin", `refs/heads/${BRANCH}`)).toContain(taken);
  const { history, broken } = checkSession(session.home());
  expect({ broken, reviewed: history.reviewer.fold.checkpoint }).toEqual({
    broken: undefined,
    reviewed: taken,
  });
  expect(session.git("for-each-ref", "refs/wisp/remote")).toBe("");
});
