import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ofKind } from "../rig/read-log.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

/** A runner that does not repeat at its end what failed: hundreds of passing tests follow. */
const VERIFY = String.raw`
import { existsSync, readFileSync } from "node:fs";
const limit = existsSync("limit.txt") ? readFileSync("limit.txt", "utf8").trim() : "30";
console.log("TAP version 13");
if (limit === "30") console.log("ok 1 - the limit is thirty");
else console.log("not ok 1 - the limit is thirty\n  ---\n  expected: 30\n  actual: " + limit + "\n  ...");
for (let n = 2; n <= 700; n++) console.log("ok " + n + " " + n + " is not a buffer");
process.exitCode = limit === "30" ? 0 : 1;
`;

const CONFIG = `verify: [["node", "verify.mjs"]]\n`;

/** Keeps each prompt, and the file with verify's output that it names. */
const KEEPS = String.raw`
};

function keep(t) {
  const name = t.purpose + "-" + t.attempt;
  t.put(process.env.HOME + "/../prompts/" + name, t.prompt);
  const [path = ""] = /\/\S+\/verify\.out/.exec(t.prompt) ?? [];
  t.put(process.env.HOME + "/../outputs/" + name, path === "" ? "" : t.read(path));
}

const nothing = {
`;

const NAME = "the limit is thirty";

/** A repository with that runner, whose agent keeps its prompts. */
function keeping(scenario: string): ProcessSession {
  const files = { "verify.mjs": VERIFY };
  const session = processSession({ config: CONFIG, files, scenario: scenario + KEEPS });
  for (const name of ["prompts", "outputs"]) mkdirSync(join(session.root, name));
  return session;
}

function kept({ root }: ProcessSession, name: string) {
  return {
    prompt: readFileSync(join(root, "prompts", name), "utf8"),
    output: readFileSync(join(root, "outputs", name), "utf8"),
  };
}

/** What a prompt says of the failure: its test, what was expected, and a file with all that was printed. */
function expectTold({ prompt, output }: ReturnType<typeof kept>): void {
  expect(prompt).toContain(`- ${NAME}`);
  expect(prompt).toContain("expected: 30");
  expect(prompt).toContain("verify.mjs exited with 1");
  expect(output).toContain(`not ok 1 - ${NAME}`);
  expect(output).toContain("ok 700 700 is not a buffer");
}

test("each attempt after a red verify, and the end of a stuck session, names the test that failed", async () => {
  await using session = keeping(String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] Set the limit\n"),
      build(t) {
        keep(t);
        if (t.attempt === 3) return;
        t.put("limit.txt", 20 + t.attempt + "\n");
        t.commit("Set the limit again, " + t.attempt);
        t.tick();
      },`);
  const ended = await session.wisp("start", "request.md", "--plain");
  expect(ended).toMatchObject({ code: 5 });
  for (const attempt of [2, 3]) expectTold(kept(session, `build-${String(attempt)}`));
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const reasons = history.builder.records.flatMap((record) =>
    record.kind === "build.end" ? [record.reason] : [],
  );
  const red = new RegExp(
    String.raw`^the verify command fails at [0-9a-f]{40}: ${NAME}\. .*expected: 30`,
  );
  expect(reasons).toEqual([
    expect.stringMatching(red),
    expect.stringMatching(red),
    "the turn neither committed nor ticked anything",
  ]);
  const said = ended.stdout + ended.stderr;
  expect(said).toContain(`verify is worse than before`);
  const { stdout: status } = await session.wisp("status");
  for (const words of [
    session.read("logs/builder.done"),
    status,
    said.slice(said.lastIndexOf("no progress on")),
  ]) {
    expect(words).toContain(NAME);
    expect(words).toContain("the turn neither committed nor ticked anything");
    expect(words).toContain("wisp resume");
  }
});

test("a fix that fails three times leaves what verify showed in the next prompts and in the end", async () => {
  await using session = keeping(String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] Set the limit\n"),
      build(t) {
        t.put("limit.txt", "30\n");
        t.commit("Set the limit");
        t.tick();
      },
      "review-milestone": (t) => t.needsWork("Correctness", "limit.txt", "The limit is too large"),
      fix(t) {
        keep(t);
        if (t.attempt === 3) process.exit(3);
        t.put("limit.txt", 20 + t.attempt + "\n");
      },`);
  const ended = await session.wisp("start", "request.md", "--plain");
  expect(ended).toMatchObject({ code: 5 });
  for (const attempt of [2, 3]) expectTold(kept(session, `fix-${String(attempt)}`));
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const ends = ofKind(history.builder.records, "fix.end");
  expect(ends.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "failed"]);
  const reasons = ends.map(({ reason = "" }) => reason.startsWith(`verify is worse: ${NAME}. `));
  expect(reasons).toEqual([true, true, false]);
  expect(session.read("logs/builder.done")).toMatch(
    /Still open after all its attempts: COR-.*: verify is worse: the limit is thirty\. .*The last attempt: /,
  );
});

describe.skipIf(WHY !== "")(`in bubblewrap${WHY}`, () => {
  test("the attempt after a red verify is told which test failed, and reads all that was printed", async () => {
    await using session = processSession({
      config: CONFIG,
      files: { "verify.mjs": VERIFY },
      sandbox: "bubblewrap",
      scenario: String.raw`
      plan: (t) => t.plan("## Milestone: One\n\n- [ ] Set the limit\n"),
      build(t) {
        const [path = ""] = /\/\S+\/verify\.out/.exec(t.prompt) ?? [];
        t.put("seen.txt", path === "" ? "nothing\n" : t.read(path));
        t.put("prompt.txt", t.prompt);
        t.put("limit.txt", t.attempt === 1 ? "20\n" : "30\n");
        t.commit("Set the limit, " + t.attempt);
        t.tick();
      },`,
    });
    expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
    const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
    const seen = session.git("show", `${branch}:seen.txt`);
    expect(seen).toContain(`not ok 1 - ${NAME}`);
    expect(seen).toContain("ok 700 700 is not a buffer");
    expectTold({ prompt: session.git("show", `${branch}:prompt.txt`), output: seen });
  });
});
