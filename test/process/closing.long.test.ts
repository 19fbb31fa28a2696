import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";

/** A complete session on `wisp/a-request`, in a repository with a bare remote `origin`. */
async function completeSession(config = ""): Promise<ProcessSession> {
  const session = processSession({ scenario: ONE_TASK, config });
  const remote = join(session.root, "remote.git");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  return session;
}

const BRANCH = "wisp/a-request";

/** Puts an executable `gh` on the rig's PATH. It logs its arguments. */
function installGh(session: ProcessSession, script: string): string {
  const directory = join(session.root, "bin");
  const calls = join(session.root, "gh-calls");
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "gh");
  const keep = `printf '%s\\n' "$*" >> '${calls}'\n`;
  writeFileSync(path, `#!/bin/sh\n${keep}${script}`);
  chmodSync(path, 0o755);
  session.env["PATH"] = `${directory}:${MACHINE_PATH}`;
  return calls;
}

const OPENS = (session: ProcessSession) => `
case "$2" in
  list) echo '[]' ;;
  create) cat > '${session.root}/body'; echo 'https://github.example/app/pull/7' ;;
esac
`;

function remoteHead(session: ProcessSession): string {
  return session.git("ls-remote", "origin", `refs/heads/${BRANCH}`).split("\t")[0] ?? "";
}

function cloneOf(session: ProcessSession, role: string): string {
  const { state } = SessionJson.parse(JSON.parse(session.read("session.json")));
  return join(state, role, "clone");
}

function clonesOf(session: ProcessSession): readonly string[] {
  return ["planner", "builder", "reviewer", "tester"]
    .map((role) => cloneOf(session, role))
    .filter((directory) => existsSync(directory));
}

test("done pushes the branch, opens a pull request written from the record, and removes the clones", async () => {
  await using session = await completeSession();
  const calls = installGh(session, OPENS(session));
  expect(clonesOf(session)).toHaveLength(4);
  const preview = await session.wisp("done", "--dry-run");
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.stdout).toContain("Nothing has been done yet");
  expect(preview.stdout).toContain("## How it was checked");
  expect(remoteHead(session)).toBe("");

  const done = await session.wisp("done");
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain("https://github.example/app/pull/7");
  expect(remoteHead(session)).toBe(session.git("rev-parse", BRANCH));
  const [listed, created] = readFileSync(calls, "utf8").split("\n");
  expect(listed).toBe(`pr list --head ${BRANCH} --state open --json url,body`);
  expect(created).toBe(`pr create --head ${BRANCH} --title A request --body-file -`);
  const body = readFileSync(join(session.root, "body"), "utf8");
  expect(body).toContain("## What was done\n\n- `One`");
  expect(body).not.toContain("## Report");
  expect(clonesOf(session)).toEqual([]);
  expect(session.git("for-each-ref", "refs/wisp")).toBe("");
  const { history } = checkSession(session.home());
  expect(history.human.fold.closed).toMatchObject({ how: "done" });

  // The session accepts no further commands, and a second done changes nothing.
  expect(await session.wisp("up")).toMatchObject({ code: 1 });
  const again = await session.wisp("done", "--no-pr");
  expect(again).toMatchObject({ code: 0 });
  expect(session.read("logs/human.log").match(/ done /gu)).toHaveLength(1);
});

test("done puts the report into the pull request if the settings ask for it, once however often it is run", async () => {
  await using session = await completeSession("report: { publish: true }\n");
  const body = join(session.root, "body");
  const url = "https://github.example/app/pull/7";
  // A pull request is opened, and then gh fails as if done had been killed before it could record that.
  const opens = `
case "$2" in
  list) echo '[]' ;;
  create) cat > '${body}'; exit 1 ;;
esac
`;
  installGh(session, opens);
  expect((await session.wisp("done")).code).not.toBe(0);
  const first = readFileSync(body, "utf8");
  expect(first).toContain("## Report\n");
  expect(first).toMatch(/^\| One \| 1 of 1 \| done \| `\w{10}\.\.\w{10}` \|/mu);
  expect(first).toContain("### Cost");
  expect(first).not.toContain(session.root);

  installGh(
    session,
    `case "$2" in
  list) node -e 'console.log(JSON.stringify([{url: "${url}", body: require("fs").readFileSync("${body}", "utf8")}]))' ;;
  edit) cat > '${body}' ;;
esac
`,
  );
  expect(await session.wisp("done")).toMatchObject({ code: 0 });
  expect(readFileSync(body, "utf8").match(/^## Report$/gmu)).toHaveLength(1);
});

test("done updates an existing pull request instead of opening a second one", async () => {
  await using session = await completeSession();
  const hasNone = await session.wisp("done", "--dry-run", "--json");
  expect(JSON.parse(hasNone.stdout)).toMatchObject({
    schema: "wisp.done/1",
    remote: "origin",
    isDryRun: true,
    isBodyShown: true,
    title: "A request",
  });
  const url = "https://github.example/app/pull/3";
  const body = join(session.root, "body");
  const calls = installGh(
    session,
    `case "$2" in
  list) echo '[{"url":"${url}","body":"By hand."}]' ;;
  edit) cat > '${body}' ;;
esac
`,
  );
  const done = await session.wisp("done");
  expect(done.stdout).toContain(url);
  const [, edited = "", ...more] = readFileSync(calls, "utf8").trimEnd().split("\n");
  expect([edited, ...more]).toEqual([`pr edit ${url} --body-file -`]);
  expect(readFileSync(body, "utf8")).toMatch(
    /^By hand\.\n\n<!-- wisp: begin -->\n## What was done\n/u,
  );
});

test("done removes nothing if gh is not logged in, and succeeds with --no-pr", async () => {
  await using session = await completeSession();
  installGh(session, "echo 'To get started, please run: gh auth login' >&2; exit 4\n");
  const refused = await session.wisp("done");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("gh auth login");
  expect(clonesOf(session)).toHaveLength(4);
  expect(session.read("logs/human.log")).not.toContain(" done ");
  expect(await session.wisp("done", "--no-pr")).toMatchObject({ code: 0 });
});

test("done loses nothing if the remote rejects the push, or if somebody else pushed to the branch", async () => {
  await using session = await completeSession();
  const hook = join(session.root, "remote.git", "hooks", "pre-receive");
  writeFileSync(hook, "#!/bin/sh\necho 'this branch is protected' >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  const refused = await session.wisp("done", "--no-pr");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("this branch is protected");

  writeFileSync(hook, "#!/bin/sh\nexit 0\n");
  const theirs = session.git("commit-tree", "HEAD^{tree}", "-m", "Theirs");
  session.git("push", "--quiet", "origin", `${theirs}:refs/heads/${BRANCH}`);
  const rejected = await session.wisp("done", "--no-pr");
  expect(rejected).toMatchObject({ code: 1 });
  expect(rejected.stderr).toContain("somebody else pushed");
  expect(remoteHead(session)).toBe(theirs);
  expect(clonesOf(session)).toHaveLength(4);

  session.git("push", "--quiet", "origin", `:refs/heads/${BRANCH}`);
  expect(await session.wisp("done", "--no-pr")).toMatchObject({ code: 0 });
  expect(remoteHead(session)).toBe(session.git("rev-parse", BRANCH));
});

test("done refuses commits that were added after the end until resume has had them reviewed", async () => {
  await using session = await completeSession();
  const tree = session.git("rev-parse", "HEAD^{tree}");
  const mine = session.git("commit-tree", tree, "-p", BRANCH, "-m", "By hand");
  session.git("update-ref", `refs/heads/${BRANCH}`, mine);
  const early = await session.wisp("done", "--no-push");
  expect(early).toMatchObject({ code: 5 });
  expect(early.stderr).toMatch(/1 commit after [0-9a-f]{10} is not reviewed/u);
  expect((await session.wisp("status")).stdout).toContain("wisp resume a-request");
  expect(await session.wisp("resume")).toMatchObject({ code: 0 });
  expect(session.read("logs/reviewer.log")).toContain(`checkpoint=${mine}`);
  checkSession(session.home());
  // There is nothing left to resume, so this only shows the session.
  expect(await session.wisp("resume")).toMatchObject({ code: 0 });
  expect(session.read("logs/human.log").match(/ resume/gu)).toHaveLength(1);
  expect(await session.wisp("done", "--no-push")).toMatchObject({ code: 0 });
});

test("done waits for a slow remote", async () => {
  await using session = await completeSession();
  const hook = join(session.root, "remote.git", "hooks", "pre-receive");
  writeFileSync(hook, "#!/bin/sh\nsleep 2\n");
  chmodSync(hook, 0o755);
  expect(await session.wisp("done", "--no-pr")).toMatchObject({ code: 0 });
  expect(remoteHead(session)).toBe(session.git("rev-parse", BRANCH));
});

test("done finishes a removal of clones that was killed, and saves the work of the clones that are left", async () => {
  await using session = await completeSession();
  const [planner, builder] = [cloneOf(session, "planner"), cloneOf(session, "builder")];
  renameSync(planner, `${planner}.gone`);
  rmSync(join(`${planner}.gone`, ".git"), { recursive: true });
  mkdirSync(`${builder}.making`);
  writeFileSync(join(builder, "left.txt"), "left\n");
  expect(await session.wisp("done", "--no-push")).toMatchObject({ code: 0 });
  const left = [planner, builder].flatMap((clone) => readdirSync(dirname(clone)));
  expect(left.filter((name) => name.startsWith("clone"))).toEqual([]);
  const rescue = session.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue");
  expect(session.git("show", `${rescue}:left.txt`)).toBe("left");
});

test("done refuses a session that is not complete with exit code 5 and says what is missing; abandon requires --yes", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  await session.wisp("start", "request.md", "--no-up");
  const refused = await session.wisp("done");
  expect(refused).toMatchObject({ code: 5 });
  expect(refused.stderr).toContain("a-request is not complete: ");
  const unsure = await session.wisp("abandon");
  expect(unsure).toMatchObject({ code: 4 });
  expect(unsure.stderr).toContain("wisp abandon a-request --yes");
});

test("abandon interrupts running turns, and keeps every commit and all uncommitted work", async () => {
  await using session = processSession({
    scenario: String.raw`
        plan: (t) => t.plan("## Milestone: One\n\n- [ ] a\n- [ ] b\n"),
        async build(t) {
          if (t.attempt === 1) {
            t.put("one.txt", "one\n");
            t.commit("Add one");
            t.tick(1);
            return;
          }
          t.put("half.txt", "half\n");
          t.put("started.txt", "");
          await t.until(() => false);
        },`,
  });
  const child = session.spawn("start", "request.md");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await session.until("the first turn's end", () =>
    session.read("logs/builder.log").includes(" build.end "),
  );
  const clone = cloneOf(session, "builder");
  await session.until("the second turn", () => existsSync(join(clone, "started.txt")));
  const published = session.git("rev-parse", BRANCH);
  const given = await session.wisp("abandon", "--yes");
  expect(given).toMatchObject({ code: 0 });
  await ended;
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const refs = session.git("for-each-ref", "--format=%(refname)", "refs").split("\n");
  expect(refs).not.toContain(`refs/heads/${BRANCH}`);
  expect(session.git("rev-parse", "refs/wisp/rescue/a-request/abandoned")).toBe(published);
  const work = refs.filter((ref) => /rescue\/a-request\/\d/u.test(ref));
  expect(work.map((ref) => session.git("show", `${ref}:half.txt`))).toContain("half");
  expect(clonesOf(session)).toEqual([]);

  const again = await session.wisp("up");
  expect(again).toMatchObject({ code: 1 });
  expect(again.stderr).toContain("was abandoned");
  expect(await session.wisp("abandon", "--yes")).toMatchObject({ code: 0 });
  // The session's name can be used again.
  expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
});
