import { describe, expect, test } from "vitest";
import { lastEndOf } from "../../src/session/state/stage.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/** A program whose help exits with 1, a tester that says so with a command, and the texts of one fix after another. */
function showing(command: string, fixes: readonly string[]): string {
  return String.raw`
    plan: (t) => t.plan("## Milestone: One\n\n- [ ] Write cli.js\n"),
    build(t) {
      t.put("cli.js", 'process.exit(process.argv[2] === "--help" ? 1 : 0);\n');
      t.commit("Add cli");
      t.tick();
    },
    test(t) {
      const clone = process.cwd();
      const checkout = t.home.slice(0, t.home.indexOf("/.wisp/"));
      t.needsWork("Bug", "cli.js", "The help exits with 1", ${command});
    },
    fix(t) {
      if (t.prompt.includes("/tester/clone")) return 9;
      t.put("cli.js", ${JSON.stringify(fixes)}[t.attempt - 1]);
    },
    "verify-fix": () => 9,
  `;
}

const RIGHT = "// It exits with 0.\n";
const WRONG = "process.exit(2);\n";

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere).each([
    ["the tester's clone", "`node ${clone}/cli.js --help`"],
    ["the tester's clone, in a script", "`sh -c 'cd ${clone} && node cli.js --help'`"],
    ["the checkout", "`node ${checkout}/cli.js --help`"],
  ])(
    "a bug whose command names %s is closed by a right fix at once, and by no wrong one",
    async (_where, command) => {
      for (const [fixes, verdicts] of [
        [[RIGHT], ["closed"]],
        [
          [WRONG, RIGHT],
          ["reopened", "closed"],
        ],
      ] as const) {
        await using session = processSession({
          scenario: showing(command, fixes),
          sandbox,
          config: `verify: [node, --test]\n`,
          files: { "base.test.js": 'require("node:test")("base", () => {});\n' },
        });
        expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
        const { history, broken } = checkSession(session.home());
        expect(broken).toBeUndefined();
        expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
        const judged = history.tester.records.filter(({ kind }) => kind === "verify.end");
        expect(judged).toMatchObject(verdicts.map((verdict) => ({ verdict })));
        const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
        expect(session.git("show", `${branch}:cli.js`)).toBe(RIGHT.trim());
      }
    },
  );

  test.runIf(isThere)(
    "a bug whose command names a file that the tester left in /tmp is asked for again, then refused",
    async () => {
      const command = "`node /tmp/wisp-nowhere-${process.pid}.js`";
      await using session = processSession({ scenario: showing(command, []), sandbox });
      expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
      const { history } = checkSession(session.home());
      expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
      expect(history.tester.fold.items.size).toBe(0);
      expect(session.read("logs/tester.log")).toContain(
        "which is neither in the repository nor a part of the system",
      );
    },
  );
});
