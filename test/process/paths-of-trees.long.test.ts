import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";

const bubblewrap = await workingBubblewrap();
const SANDBOXES = "path" in bubblewrap ? ["none", "auto"] : ["none"];
const WHY = "path" in bubblewrap ? "" : ` (auto skipped: ${bubblewrap.reason})`;

/** Tests whose titles and failures have the paths of the tree in which they run. */
const SUITE = String.raw`
import { test } from "node:test";
import assert from "node:assert";
import { existsSync } from "node:fs";
test("old, in " + process.cwd(), () => assert.fail("in " + process.cwd()));
test("old, of " + import.meta.url, () => assert.fail(import.meta.url));
test("new, in " + process.cwd(), () => assert.ok(!existsSync("broken.txt"), process.cwd() + "/broken.txt"));
`;

/** Breaks the third test first, and mends that. */
const BREAKS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    if (t.attempt === 1) t.put("broken.txt", "broken\n");
    else t.git("rm", "-q", "broken.txt");
    t.put("hello.txt", "hello " + t.attempt + "\n");
    t.commit("Say hello");
    t.tick();
  },
  fix(t) {
    t.git("rm", "-q", "broken.txt");
  },
`;

/** All that a person or a program is shown of it. */
async function shown(session: ProcessSession, ...commands: readonly string[]): Promise<string> {
  let all = "";
  for (const command of commands) {
    const { stdout, stderr } = await session.wisp(...command.split(" "));
    all += `== ${command}\n${stdout}\n${stderr}\n`;
  }
  return all;
}

const VIEWS = ["status", "status --json", "list --json", "log", "report", "report --json"];

/** No path of a verify tree, a neutral tree or a clone, and not the person's home. */
function expectNoTree(text: string): void {
  const found = text
    .split("\n")
    .filter((line) => /\/verify\/\d+\/tree|\/clone\b|\/src\/test/u.test(line));
  expect(found).toEqual([]);
}

test.each(SANDBOXES)(
  `no path of wisp's own trees is in names, status, questions, reports and pull requests (sandbox: %s)${WHY}`,
  async (sandbox) => {
    const files = { "test/a.test.js": SUITE, "package.json": `{ "type": "module" }` };
    const config = `verify: [["node", "--test", "test/a.test.js"]]\n`;
    await using session = processSession({ scenario: BREAKS, files, config, sandbox });
    const started = await session.wisp("start", "request.md");
    expect(started).toMatchObject({ code: 4 });
    expect(started.stdout + started.stderr).toContain("old, in .");
    expectNoTree(started.stdout + started.stderr);
    expectNoTree(await shown(session, ...VIEWS));
    expect(await session.wisp("answer", "a-request", "accept")).toMatchObject({ code: 0 });
    const up = await session.wisp("up");
    expect(up).toMatchObject({ code: 0 });
    expectNoTree(up.stdout + up.stderr);
    const views = [...VIEWS, "review", "review --json", "done --dry-run", "done --dry-run --json"];
    const all = await shown(session, ...views);
    expect(all).toContain("old, of test/a.test.js");
    expectNoTree(all);
    for (const log of ["builder", "reviewer", "tester"])
      expectNoTree(session.read(`logs/${log}.log`));
    for (const file of ["BUGS.md", "REVIEWS.md", "PROGRESS.txt"]) expectNoTree(session.read(file));
    checkSession(session.home());
  },
);
