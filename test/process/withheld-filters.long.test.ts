import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { runsHere } from "../rig/runs-here.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";

/*
 * What the repository's own configuration encrypts or strips is never published as it is, whoever commits it.
 */

const SECRET = "NEW-PLAINTEXT-SECRET";
const bubblewrap = await workingBubblewrap();
const BUBBLEWRAP = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;
const GIT_CRYPT = runsHere(["git-crypt", "--version"]) ? "" : " (skipped: no git-crypt)";

const SANDBOXES = [
  ["without a sandbox", "none", ""],
  [`in bubblewrap${BUBBLEWRAP}`, "{ kind: bubblewrap }", BUBBLEWRAP],
] as const;

/** One task; what the builder does with the secret is given. */
const building = (body: string, rest = "") => String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    const isTold = t.prompt.includes("secrets/new.txt");
    ${body}
  },
  ${rest}
`;

/** In the first attempt as given, then as the prompt demands. */
const once = (how: string) =>
  building(`
    if (!isTold) { ${how} } else t.commit("Say hello");
    t.tick();`);

const WRITES = `t.put("secrets/new.txt", "${SECRET}\\n");`;

/** `secrets/**` is encrypted by git-crypt, or stripped by what `nbstripout --install` and the like write. */
function encrypts(session: ProcessSession, how: "git-crypt" | "strip"): void {
  const { repository, env, git } = session;
  if (how === "git-crypt") {
    execFileSync("git-crypt", ["init"], { cwd: repository, env, stdio: "ignore" });
  } else {
    git("config", "filter.strip.clean", `sed s/${SECRET}/stripped/`);
    git("config", "filter.strip.smudge", "cat");
    git("config", "filter.strip.required", "true");
  }
  session.write(".gitattributes", `secrets/** filter=${how} diff=${how}\n`);
  session.write("secrets/old.txt", "OLD\n");
  git("add", "-A");
  git("commit", "-qm", "Encrypt");
}

/** Whether a commit that a branch, a tag or a remote reaches has the secret. */
function isPublished({ git }: ProcessSession): boolean {
  const found = git("log", "--branches", "--tags", "--remotes", "--format=%H", `-S${SECRET}`);
  return found !== "";
}

async function expectWhole(session: ProcessSession): Promise<void> {
  expect(checkSession(session.home()).broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
}

describe.each(SANDBOXES)("%s", (_, sandbox, why) => {
  describe.skipIf(why !== "")("a file that agents cannot encrypt", () => {
    test.skipIf(GIT_CRYPT !== "")(
      `is not published, and the next attempt is told which one: git-crypt${GIT_CRYPT}`,
      async () => {
        await using session = processSession({
          scenario: once(`${WRITES} t.commit("Say hello");`),
          sandbox,
        });
        encrypts(session, "git-crypt");
        const { code, stdout, stderr } = await session.wisp("start", "request.md");
        expect({ code, stderr }).toMatchObject({ code: 0 });
        expect(stdout + stderr).toContain("git-crypt");
        expect(isPublished(session)).toBe(false);
        const log = session.read("logs/builder.log");
        expect(log).toMatch(/build\.end .*secrets\/new\.txt.*outcome=noprogress/);
        const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
        expect(session.git("show", `${branch}:hello.txt`)).toBe("hello");
        expect(session.git("rev-parse", `${branch}:secrets/old.txt`)).toBe(
          session.git("rev-parse", "main:secrets/old.txt"),
        );
        await expectWhole(session);
      },
    );

    const WAYS = [
      ["left over, and committed by wisp", WRITES],
      [
        "committed without the attribute",
        `${WRITES} t.put(".gitattributes", ""); t.commit("Say");`,
      ],
      [
        "removed again by the next commit",
        `${WRITES} t.commit("Say"); t.git("rm", "-q", "secrets/new.txt"); t.git("commit", "-qm", "Not");`,
      ],
    ] as const;
    test.each(WAYS)("is not published if it is %s", async (_way, how) => {
      await using session = processSession({ scenario: once(how), sandbox });
      encrypts(session, "strip");
      const { code } = await session.wisp("start", "request.md");
      expect(isPublished(session)).toBe(false);
      expect(code).toBe(0);
      await expectWhole(session);
    });
  });
});

test("the last attempt asks a person, whose answer goes to the builder", async () => {
  const scenario = building(`
    if (!t.prompt.includes("Without secrets, please")) { ${WRITES} }
    t.commit("Say hello");
    t.tick();`);
  await using session = processSession({ scenario });
  encrypts(session, "strip");
  const started = await session.wisp("start", "request.md");
  expect(started.code).toBe(4);
  expect(started.stdout).toContain("secrets/new.txt (filter strip, in ");
  expect(session.read("logs/builder.log").match(/outcome=noprogress/g)).toHaveLength(2);
  expect(isPublished(session)).toBe(false);
  const again = await session.wisp("answer", "a-request", "Without secrets, please");
  expect(again.code).toBe(0);
  expect(isPublished(session)).toBe(false);
  expect((await session.wisp("up")).code).toBe(0);
  await expectWhole(session);
});

test("a fix and the tester's own commits are judged alike", async () => {
  const scenario = building(
    `t.commit("Say hello"); t.tick();`,
    String.raw`
  "review-milestone"(t) {
    if (!t.has("better.txt")) t.needsWork("Correctness", "hello.txt", "It is not better");
    else t.passed();
  },
  fix(t) {
    t.put("better.txt", "better\n");
    if (!t.prompt.includes("secrets/new.txt")) t.put("secrets/new.txt", "${SECRET}\n");
  },
  test(t) {
    t.put("test/hello.txt", "tested\n");
    if (!t.prompt.includes("test/secret.key")) t.put("test/secret.key", "${SECRET}\n");
    t.passed();
  },`.replaceAll("${SECRET}", SECRET),
  );
  await using session = processSession({ scenario });
  encrypts(session, "strip");
  session.write(".gitattributes", "secrets/** filter=strip\n*.key filter=strip\n");
  session.git("commit", "-qam", "Encrypt keys");
  const { code } = await session.wisp("start", "request.md");
  expect(isPublished(session)).toBe(false);
  expect(code).toBe(0);
  expect(session.read("logs/builder.log")).toMatch(/fix\.end .*secrets\/new\.txt.*outcome=failed/);
  expect(session.read("logs/tester.log")).toMatch(/attempt\.failed .*test\/secret\.key/);
  await expectWhole(session);
});

test("what the person's own settings name is published as it is, and a repository's settings cannot", async () => {
  const scenario = building(`${WRITES} t.commit("Say hello"); t.tick();`);
  await using session = processSession({ scenario });
  encrypts(session, "strip");
  const own = join(session.env["HOME"] ?? "", ".config", "wisp");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "config.yaml"), "filters: [strip]\n");
  const started = await session.wisp("start", "request.md");
  expect(started.code).toBe(0);
  expect(started.stdout + started.stderr).not.toContain("strip");
  expect(isPublished(session)).toBe(true);
  session.write(".wisp/config.yaml", "filters: [strip]\n");
  const refused = await session.wisp("start", "request.md", "--again");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("in your own settings");
});
