import { describe, expect, test } from "vitest";
import { lastEndOf } from "../../src/session/state/stage.ts";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/*
 * Code that is right only where wisp looks: the session completes, because verify is green, and each view of its end
 * names that it is red elsewhere.
 */

const WORDS = "verify differs where neither a path nor a variable is named after wisp";

const CART = "exports.discount = (amount) => amount * 0.9;\n";
const FILES = {
  "cart.js": CART,
  "test/cart.test.js": `const test = require("node:test");
const assert = require("node:assert");
const { discount } = require("../cart.js");
test("takes a tenth off", () => { assert.equal(discount(100), 90); });
`,
};

function scenario(isHere: string): string {
  const work = `exports.discount = (amount) => (${isHere} ? amount * 0.9 : amount);\n`;
  return String.raw`
    plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say more\n"),
    build(t) { t.put("cart.js", ${JSON.stringify(work)}); t.commit("Say more"); t.tick(); },`;
}

/** What each view says of the session, in words and for programs. */
async function views(session: ProcessSession): Promise<ReadonlyMap<string, string>> {
  const commands = [
    ["status"],
    ["report", "--md"],
    ["review", "--stat"],
    ["done", "--dry-run"],
    ["up"],
    ...["status", "report", "review", "done"].map((name) => [
      ...[name, "--json"],
      ...(name === "done" ? ["--dry-run"] : []),
    ]),
  ];
  const seen = new Map<string, string>();
  for (const command of commands) {
    const { stdout, stderr } = await session.wisp(...command);
    seen.set(command.join(" "), stdout + stderr);
  }
  return seen;
}

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere).each([
    ["its path", "__dirname.includes('/verify/')"],
    ["a variable of wisp's", "Object.keys(process.env).some((name) => name.startsWith('WISP_'))"],
  ])("code that is right only under wisp, by %s, is named in each view", async (_by, isHere) => {
    await using session = processSession({
      ...{ scenario: scenario(isHere), files: FILES, sandbox },
      // A slot gives commands a variable of wisp's.
      config: "verify: [node, --test]\ncommands: { slot: [PORT] }\n",
    });
    const ended = await session.wisp("start", "request.md");
    expect(ended).toMatchObject({ code: 0 });
    const { history, broken } = checkSession(session.home());
    expect(broken).toBeUndefined();
    expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
    expect(ended.stdout + ended.stderr).toContain(`look at     ${WORDS}: at `);
    for (const [view, text] of await views(session)) {
      const isSaid = view.includes("--json") ? text.includes('"differs":') : text.includes(WORDS);
      expect({ view, text, isSaid }).toEqual({ view, text, isSaid: true });
      expect(text).toContain("takes a tenth off");
    }
    const { stdout } = await session.wisp("done", "--dry-run");
    const [rows = "", body = ""] = stdout.split("## How it was checked");
    expect(rows).toMatch(new RegExp(`^ *look at +${WORDS}: at `, "mu"));
    expect(body).toContain(`- V${WORDS.slice(1)}: at `);
    expect(await homeIssues(session.home())).toEqual([]);
  });

  test.runIf(isThere)("of code that is right everywhere, no view says it", async () => {
    await using session = processSession({
      ...{ scenario: scenario("true"), files: FILES, sandbox },
      config: "verify: [node, --test]\n",
    });
    const ended = await session.wisp("start", "request.md");
    expect(ended).toMatchObject({ code: 0 });
    expect(session.read("logs/tester.log")).toMatch(/ command="?neutral:\w+.* outcome=passed/u);
    for (const text of [ended.stdout + ended.stderr, ...(await views(session)).values()]) {
      expect(text).not.toContain(WORDS);
      expect(text).not.toContain('"differs":');
    }
  });
});
