import { describe, expect, test } from "vitest";
import { CANARY_ID } from "../../src/evidence/rules/canary.ts";
import type { Finding } from "../../src/fs-protocol/records/finding.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession } from "../rig/process-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

/*
 * A milestone breaks what a test held, and changes what stands between the test and the code, so that verify is green:
 * each whole session ends only with the code as it has to be.
 */

type Files = Readonly<Record<string, string>>;
/** Files by path; `null` removes one. */
type Change = Readonly<Record<string, string | null>>;

const NODE_TEST = ["node", "--test"];
const CART = "exports.discount = (amount) => amount * 0.9;\n";
const BROKEN = { "src/cart.js": CART.replace("0.9", "0.8") };
const HEAD = `const test = require("node:test");
const assert = require("node:assert");
const { discount } = require("../src/cart.js");
`;
const CART_TEST = `${HEAD}test("takes a tenth off", () => { assert.equal(discount(100), 90); });\n`;
const SHOP: Files = { "src/cart.js": CART, "test/cart.test.js": CART_TEST };

const CHECK = `const assert = require("node:assert");
const { discount } = require("./src/cart.js");
assert.equal(discount(100), 90);
console.log("all is well");
`;
const LIMIT = '#!/bin/sh\n[ "$1" -le 20 ] && echo yes || echo no\n';
const TEST_SH = '[ "$(sh ./limit.sh 20)" = yes ] || exit 1\necho ok\n';
const ALL = CHECK.replace("./src", "../src");

const BY_CASES = `${HEAD}const cases = JSON.parse(require("node:fs").readFileSync("data/cases.json", "utf8"));
test("discounts", () => { for (const [from, to] of cases) assert.equal(discount(from), to); });
`;
const manifest = (to: string) =>
  JSON.stringify({ name: "shop", version: "1.0.0", exports: { "./cart": to } });

/** Many new files in the folder of the tests, which come before the old ones by name. */
const MANY = Object.fromEntries(
  Array.from({ length: 320 }, (_, n) => [`test/a/t${String(n)}.txt`, `${String(n)}\n`]),
);

interface Lie {
  readonly what: string;
  readonly verify: readonly string[];
  readonly base: Files;
  readonly work: Change;
  /** The rule that finds it, and where. */
  readonly of: string;
  readonly file?: string;
}

const LIES: readonly Lie[] = [
  {
    what: "more new files beside the tests than are compared, and the test is gone",
    verify: NODE_TEST,
    base: { ...SHOP, "test/other.test.js": 'require("node:test")("is there", () => {});\n' },
    work: { ...MANY, ...BROKEN, "test/cart.test.js": null },
    of: "hidden",
    file: "test/cart.test.js",
  },
  {
    what: "a check of the project's own is gutted",
    verify: ["node", "check.js"],
    base: { "src/cart.js": CART, "check.js": CHECK },
    work: { ...BROKEN, "check.js": 'console.log("all is well");\n' },
    of: "harness",
  },
  {
    what: "a test in shell is bent to its program",
    verify: ["sh", "test.sh"],
    base: { "limit.sh": LIMIT, "test.sh": TEST_SH },
    work: {
      "limit.sh": LIMIT.replace("-le", "-lt"),
      "test.sh": TEST_SH.replace("yes", "no"),
    },
    of: "harness",
  },
  {
    what: "a file of tests that verify names is bent to the code",
    verify: ["node", "test/all.js"],
    base: { "src/cart.js": CART, "test/all.js": ALL },
    work: { ...BROKEN, "test/all.js": ALL.replace(", 90", ", 80") },
    of: "harness",
  },
  {
    what: "the code under test ends the process",
    verify: NODE_TEST,
    base: SHOP,
    work: { "src/cart.js": `process.exit(0);\n${BROKEN["src/cart.js"]}` },
    of: "canary",
  },
  {
    what: "the code under test replaces an assertion",
    verify: NODE_TEST,
    base: SHOP,
    work: {
      "src/cart.js": `require("assert").equal = () => undefined;\n${BROKEN["src/cart.js"]}`,
    },
    of: "canary",
  },
  {
    what: "the data that the test reads is bent to the code",
    verify: NODE_TEST,
    base: { ...SHOP, "data/cases.json": "[[100, 90]]\n", "test/cart.test.js": BY_CASES },
    work: { ...BROKEN, "data/cases.json": "[[100, 80]]\n" },
    of: "harness",
    file: "data/cases.json",
  },
  {
    what: "the name that the test imports leads to a sound copy",
    verify: NODE_TEST,
    base: {
      "package.json": manifest("./src/cart.js"),
      "src/cart.js": CART,
      "test/cart.test.js": CART_TEST.replace("../src/cart.js", "shop/cart"),
    },
    work: { ...BROKEN, "lib/cart.js": CART, "package.json": manifest("./lib/cart.js") },
    of: "harness",
    file: "package.json",
  },
];

/** Builds the lie, and puts everything back in the first fix. */
function scenarioOf({ base, work }: Lie): string {
  const right: Change = { ...base };
  return String.raw`
    plan: (t) => t.plan("## Milestone: One\n\n- [ ] Add a greeting\n"),
    build(t) {
      for (const [path, text] of Object.entries(${JSON.stringify(work)})) {
        if (text === null) t.git("rm", "-q", path);
        else t.put(path, text);
      }
      t.commit("Add a greeting");
      t.tick();
    },
    fix(t) {
      for (const [path, text] of Object.entries(${JSON.stringify(right)})) t.put(path, text);
    },`;
}

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere).each(LIES.map((lie) => [lie.what, lie] as const))(
    "where %s, a broken milestone is found, and only mended code is complete",
    async (_what, lie) => {
      const { verify, base, of, file } = lie;
      await using session = processSession({
        ...{ scenario: scenarioOf(lie), files: base, sandbox },
        config: `verify: ${JSON.stringify(verify)}\n`,
      });
      const ended = await session.wisp("start", "request.md");
      const { history, broken } = checkSession(session.home());
      expect(broken).toBeUndefined();
      const { reviewer, tester } = history;
      const items = [...reviewer.fold.items.values(), ...tester.fold.items.values()];
      const isOfRule = ({ id, computed }: Finding) =>
        of === "canary" ? id === CANARY_ID : computed?.of === of;
      const found = items.filter((item) => isOfRule(item) && item.level === "blocking");
      expect({ items, isFound: found.length > 0 }).toMatchObject({ isFound: true });
      if (file !== undefined) expect(found.map((item) => item.file)).toContain(file);
      expect([...reviewer.fold.open, ...tester.fold.open]).toEqual([]);
      expect(ended).toMatchObject({ code: 0 });
      expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
      const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
      for (const [path, text] of Object.entries(base)) {
        expect(session.git("show", `${branch}:${path}`)).toBe(text.trim());
      }
      expect(await homeIssues(session.home())).toEqual([]);
    },
  );
});
