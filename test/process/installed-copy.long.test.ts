import { describe, expect, test } from "vitest";
import { lastEndOf } from "../../src/session/state/stage.ts";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { connect } from "../rig/mcp-connection.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/*
 * A package of Python whose tests load a copy: one that the machine has, which is older than every commit, or one that setup
 * makes of each commit.
 */

const CART = "def discount(amount):\n    return amount - 10\n";
const FILES = {
  ".gitignore": "made/\n",
  "src/shop/__init__.py": "",
  "src/shop/cart.py": CART,
  "tests/test_cart.py": `import unittest
from shop import cart


class TestCart(unittest.TestCase):
    def test_discount(self):
        self.assertEqual(cart.discount(100), 90)
`,
};

/** Breaks the package, in each attempt in another way. */
const BREAKS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say more\n"),
  build(t) {
    t.put("src/shop/cart.py", "def discount(amount):\n    return amount - 2" + t.attempt + "\n");
    t.commit("Say more, attempt " + t.attempt);
    t.tick();
  },`;

function shop(sandbox: string, paths: string): ProcessSession {
  return processSession({
    ...{ scenario: BREAKS, files: FILES, sandbox },
    config:
      "setup: [cp, -r, src, made]\n" +
      `verify: [env, "PYTHONPATH=${paths}", python3, -m, unittest, discover, -s, tests]\n`,
  });
}

const ASKS =
  /Verify is green at [0-9a-f]{12} also where these cannot be loaded, one after the other: src\/shop\/__init__\.py, src\/shop\/cart\.py/u;

/** How often the last module was overwritten. */
function looksAtSource(session: ProcessSession): number {
  return session.read("logs/tester.log").match(/ command="?source:\w+/gu)?.length ?? 0;
}

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere)(
    "a verify that loads an installed copy is a question, once for one look at it, and only a person accepts it",
    async () => {
      await using session = shop(sandbox, "made");
      const asked = await session.wisp("start", "request.md");
      expect(asked).toMatchObject({ code: 4 });
      expect(asked.stdout + asked.stderr).toMatch(ASKS);
      expect((await session.wisp("status")).stdout).toMatch(ASKS);
      // The broken package was green: it is the copy that was made at the base that was loaded.
      expect(session.read("logs/builder.log")).toContain("outcome=milestone");
      // Asked once, whatever is started again.
      expect(await session.wisp("up")).toMatchObject({ code: 4 });
      expect(looksAtSource(session)).toBe(1);
      await using connection = await connect(session);
      const refused = await connection.call("answer_question", { answer: "accept" });
      expect(refused).toMatchObject({
        isError: true,
        data: { error: { code: "only-person-accepts" } },
      });
      expect(session.read("logs/human.log")).not.toContain("answer");
      expect(await session.wisp("answer", "a-request", "again")).toMatchObject({ code: 0 });
      expect(await session.wisp("up")).toMatchObject({ code: 4 });
      expect(looksAtSource(session)).toBe(2);
      expect(await session.wisp("answer", "a-request", "accept")).toMatchObject({ code: 0 });
      expect(await session.wisp("up")).toMatchObject({ code: 0 });
      expect(looksAtSource(session)).toBe(2);
      const { history, broken } = checkSession(session.home());
      expect(broken).toBeUndefined();
      expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
      expect(await homeIssues(session.home())).toEqual([]);
    },
  );

  test.runIf(isThere)(
    "the same package, loaded from the tree, is asked nothing of, and what breaks it is red",
    async () => {
      await using session = shop(sandbox, "src");
      const ended = await session.wisp("start", "request.md");
      expect(ended).toMatchObject({ code: 5 });
      expect(ended.stdout + ended.stderr).not.toMatch(ASKS);
      expect(session.read("logs/builder.log")).toContain(" outcome=unverified ");
    },
  );
});
