import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";
import { ONE_TASK } from "./scenarios.ts";

const BRANCH = "wisp/a-request";
const WIDE = { columns: 220, rows: 50 };

/** A complete session on `wisp/a-request`, in a repository with a bare remote `origin`. */
async function completeSession(scenario = ONE_TASK): Promise<ProcessSession> {
  const session = processSession({ scenario });
  const remote = join(session.root, "remote.git");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  return session;
}

function hook(session: ProcessSession, script: string, path = ".git/hooks/pre-push"): void {
  const file = join(session.repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function remoteHead(session: ProcessSession): string {
  return session.git("ls-remote", "origin", `refs/heads/${BRANCH}`).split("\t")[0] ?? "";
}

/** What the hook was told: its arguments, folder, input and a variable of the person's. */
function told(session: ProcessSession): string {
  return readFileSync(join(session.root, "told"), "utf8");
}

const TELLS = (session: ProcessSession) =>
  `{ echo "$1|$2|$#"; pwd; echo "$MINE|$GIT_DIR|$LC_ALL|$EDITOR"; cat; } > '${session.root}/told'`;

test("on a terminal the person's pre-push hook runs as in a push of theirs, with its output shown", async () => {
  await using session = await completeSession();
  session.env["MINE"] = "of the person";
  session.env["EDITOR"] = "ed";
  hook(session, TELLS(session));
  session.git("push", "--dry-run", "--quiet", "origin", BRANCH);
  const asGit = told(session);
  expect(asGit).toContain(`refs/heads/${BRANCH} ${session.git("rev-parse", BRANCH)} `);
  rmSync(join(session.root, "told"));
  // Colours are removed, and one may ask the person.
  hook(
    session,
    `${TELLS(session)}
printf '\\033[31mlooks\\033[0m good\\n'
echo 'to standard error' >&2
printf 'Really? ' >&2
read answer < /dev/tty
echo "answered $answer"`,
  );
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp done --no-pr; echo code $?");
  await terminal.shows("Really?");
  expect(remoteHead(session)).toBe("");
  terminal.run("surely");
  await terminal.shows("code 0");
  const shown = terminal.rows().join("\n");
  expect(shown).toContain("Your pre-push hook runs, at most 30 minutes");
  for (const line of ["looks good", "to standard error"]) expect(shown).toContain(`\n  ${line}\n`);
  expect(shown).toContain("\n  answered surely\n");
  expect(shown).toMatch(/hook +pre-push hook passed/u);
  expect(told(session)).toBe(asGit);
  expect(remoteHead(session)).toBe(session.git("rev-parse", BRANCH));
});

test("a pre-push hook that refuses stops the push, and --no-verify ships without it", async () => {
  await using session = await completeSession();
  hook(session, "echo 'three tests fail'; exit 3");
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp done --no-pr; echo code $?");
  await terminal.shows("code 1");
  const shown = terminal.rows().join("\n");
  expect(shown).toContain("Your pre-push hook refused the push: exit code 3; three tests fail");
  expect(shown).toContain("Nothing was pushed, and nothing was removed.");
  expect(shown).toContain("  wisp done a-request --no-verify\n");
  expect(remoteHead(session)).toBe("");
  expect(session.read("logs/human.log")).not.toContain(" done ");
  terminal.run("clear; wisp done --no-pr --no-verify; echo code $?");
  await terminal.shows("code 0");
  expect(terminal.rows().join("\n")).toContain("pre-push hook not run: you passed --no-verify");
  expect(remoteHead(session)).toBe(session.git("rev-parse", BRANCH));
});

test("a connection that is lost while the hook runs costs nothing: the push has its own", async () => {
  await using session = await completeSession();
  const killed = join(session.root, "killed");
  hook(
    session,
    `for one in /proc/[0-9]*; do
  [ "$(cut -d' ' -f4 $one/stat 2>/dev/null)" = "$PPID" ] || continue
  case "$(tr '\\0' ' ' < $one/cmdline)" in *receive-pack*) kill -9 "\${one#/proc/}"; touch '${killed}' ;; esac
done`,
  );
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp done --no-pr; echo code $?");
  await terminal.shows(/code \d/);
  expect(terminal.rows().join("\n")).toMatch(/hook +pre-push hook passed/u);
  expect(existsSync(killed)).toBe(true);
  expect(remoteHead(session)).toBe(session.git("rev-parse", BRANCH));
});

test("Ctrl-C ends a pre-push hook with all that it started, and the same command works again", async () => {
  await using session = await completeSession();
  const begun = join(session.root, "begun");
  hook(
    session,
    `trap '' INT TERM
setsid sleep 1000 & echo $! > '${begun}.left'
touch '${begun}'
while :; do sleep 1; done`,
  );
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp done --no-pr; echo code $?");
  await eventually(() => expect(existsSync(begun)).toBe(true));
  terminal.press("C-c");
  await terminal.shows("code 130");
  expect(terminal.rows().join("\n")).toContain("You ended your pre-push hook.\nNothing was pushed");
  expect(session.leftovers().filter((line) => /sleep|pre-push/u.test(line))).toEqual([]);
  expect(remoteHead(session)).toBe("");
  hook(session, "exit 0");
  terminal.run("clear; wisp done --no-pr; echo code $?");
  await terminal.shows("code 0");
  expect(remoteHead(session)).toBe(session.git("rev-parse", BRANCH));
});

test("without a terminal the hook is not run, and that is said", async () => {
  await using session = await completeSession();
  hook(session, TELLS(session));
  const done = await session.wisp("done", "--no-pr");
  expect(done).toMatchObject({ code: 0 });
  expect(done.stdout).toContain("pre-push hook not run: there is no terminal");
  session.git("remote", "add", "other", join(session.root, "remote.git"));
  const again = await session.wisp("done", "--no-pr", "--remote", "other", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({
    hook: "not-run",
    hookSays: "with --json none is run",
  });
  expect(existsSync(join(session.root, "told"))).toBe(false);
  rmSync(join(session.repository, ".git/hooks/pre-push"));
  session.git("remote", "add", "third", join(session.root, "remote.git"));
  const none = await session.wisp("done", "--no-pr", "--remote", "third", "--json");
  expect(JSON.parse(none.stdout)).not.toHaveProperty("hook");
});

/** An agent without a sandbox puts a hook into the person's repository, and more branches than are recorded. */
const PLANTS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { chmodSync, readFileSync, writeFileSync } = await import("node:fs");
    const { join } = await import("node:path");
    const path = join(process.env.HOME, "../repository/.git/hooks/pre-push");
    writeFileSync(path, "#!/bin/sh\necho planted > '" + join(process.env.HOME, "../told") + "'\n");
    chmodSync(path, 0o755);
    const heads = join(process.env.HOME, "../repository/.git/refs/heads");
    const tip = readFileSync(join(heads, "main"));
    for (let n = 0; n < 30; n += 1) writeFileSync(join(heads, "b" + n), tip);
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

test("a hook that was changed while engines ran without a sandbox is not run without asking", async () => {
  await using session = await completeSession(PLANTS);
  const toldPath = join(session.root, "told");
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp done --no-pr; echo code $?");
  await terminal.shows("Run it, outside any sandbox? [y/N]");
  expect(terminal.rows().join("\n")).toContain(
    ".git/hooks/pre-push was added while engines ran without a sandbox",
  );
  terminal.run("n");
  await terminal.shows("code 1");
  expect(terminal.rows().join("\n")).toContain("Your pre-push hook was not run, as you answered.");
  expect(remoteHead(session)).toBe("");
  terminal.run("clear; wisp done --no-pr --yes; echo code $?");
  await terminal.shows("code 0");
  expect(terminal.rows().join("\n")).toMatch(
    /pre-push hook not run: \.git\/hooks\/pre-push was added .*, and with --yes nothing is asked/u,
  );
  expect(existsSync(toldPath)).toBe(false);
});

test("a hook below the work tree is the checkout's own, and one of the session's commits is not run without asking", async () => {
  await using session = await completeSession();
  session.git("config", "core.hooksPath", ".husky/_");
  // As husky 9 does it: a script of its own calls the one that the project keeps.
  hook(
    session,
    `cd "$(git rev-parse --show-toplevel)" && exec sh .husky/pre-push "$@"`,
    ".husky/_/pre-push",
  );
  hook(session, `echo "the checkout's own"; exit 4`, ".husky/pre-push");
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp done --no-pr; echo code $?");
  await terminal.shows("refused the push: exit code 4; the checkout's own");
  session.git("checkout", "--quiet", BRANCH);
  terminal.run("clear; wisp done --no-pr; echo code $?");
  await terminal.shows("your checkout has commits of a-request");
  await terminal.shows("Run it, outside any sandbox? [y/N]");
  terminal.run("");
  await terminal.shows("code 1");
  expect(remoteHead(session)).toBe("");
});
