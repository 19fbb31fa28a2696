import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lookElsewhere } from "../../../src/evidence/look/look-elsewhere.ts";
import { NEUTRAL } from "../../../src/fs-protocol/records/command-result.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { differsElsewhere } from "../../../src/views/status/differs-elsewhere.ts";
import { SANDBOXES, TreeRig } from "../verify-tree/tree-rig.ts";

const FIELDS: Partial<SessionJson> = {
  version: 3,
  verify: [["node", "--test"]],
  setup: [["node", "-e", 'require("node:fs").writeFileSync("made.txt", process.cwd())']],
  commands: { env: ["OWN"], ci: true, slot: ["PORT"] },
};
const testOf = (code: string) => `const test = require("node:test");
const assert = require("node:assert");
const { discount } = require("../cart.js");
test("takes a tenth off", () => { ${code}assert.equal(discount(100), 90); });
`;
/** A product that is right where `isHere` says so. */
const cart = (isHere: string) =>
  `exports.discount = (amount) => (${isHere} ? amount * 0.9 : amount);\n`;
const files = (isHere: string, code = "") => ({
  "cart.js": cart(isHere),
  "test/cart.test.js": testOf(code),
});

/** A folder for temporary files whose path is not named after wisp. */
function temporaryFolder() {
  const folder = mkdtempSync("/tmp/n-");
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Looks at a commit elsewhere, and at what is left of that. */
async function lookedAt(rig: TreeRig, work: Readonly<Record<string, string>>, folder: string) {
  const at = await rig.commit(work);
  await (await rig.clone()).publish(at);
  const tester = rig.tester(folder);
  const look = () => lookElsewhere(tester.context, { unit: "final:1", at });
  const state = () => rig.rig.at.state();
  const results = () =>
    tester.recordsOf("command.result").filter(({ command }) => command.startsWith(NEUTRAL));
  return { look, state, results, tester, at };
}

describe.each(SANDBOXES.filter(({ isThere }) => isThere))("with $sandbox", ({ bwrap }) => {
  test.each([
    ["a variable of wisp's", "Object.keys(process.env).some((name) => name.startsWith('WISP_'))"],
    ["its path", "__dirname.includes('/verify/')"],
    ["how wisp keeps tools from storing results", "process.env.NX_DAEMON === 'false'"],
  ])("code that is right only under wisp, by %s, is named", async (_, isHere) => {
    using temporary = temporaryFolder();
    using rig = new TreeRig(bwrap, FIELDS, { slots: join(temporary.folder, "slots") });
    const { look, state, results } = await lookedAt(rig, files(isHere), temporary.folder);
    expect(await look()).toBe("seen");
    expect(results()).toMatchObject([{ outcome: "failed", unit: "final:1" }]);
    expect(differsElsewhere(await state())).toMatch(
      /^at \w+ verify fails there: .*takes a tenth off/,
    );
    expect(readdirSync(temporary.folder)).toEqual(["slots"]);
  });

  test("code that does not look where it is differs nowhere, and is looked at once for a tree", async () => {
    using temporary = temporaryFolder();
    using rig = new TreeRig(bwrap, FIELDS, {
      slots: join(temporary.folder, "slots"),
      env: () => ({ OWN: "mine" }),
    });
    const seen = `const { CI, OWN, PORT } = process.env;
  assert.deepEqual([CI, OWN, typeof PORT], ["true", "mine", "string"]);
  assert.equal(require("node:fs").readFileSync("made.txt", "utf8"), process.cwd());
  `;
    const { look, state, results } = await lookedAt(rig, files("true", seen), temporary.folder);
    await look();
    await look();
    expect(results()).toMatchObject([{ outcome: "passed" }]);
    expect(differsElsewhere(await state())).toBe(undefined);
  });
});

test("what a killed process left is removed before the next look, and nothing else is", async () => {
  using temporary = temporaryFolder();
  using rig = new TreeRig(undefined, FIELDS);
  const { look, results } = await lookedAt(rig, files("true"), temporary.folder);
  const [left, other] = [join(temporary.folder, "left"), join(temporary.folder, "other")];
  for (const folder of [left, other]) mkdirSync(join(folder, "src"), { recursive: true });
  mkdirSync(join(rig.rig.session.state, "verify"), { recursive: true });
  writeFileSync(join(rig.rig.session.state, "verify", "neutral.path"), left);
  await look();
  expect(results()).toMatchObject([{ outcome: "passed" }]);
  expect(readdirSync(temporary.folder)).toEqual(["other"]);
  expect(existsSync(join(rig.rig.session.state, "verify", "neutral.path"))).toBe(false);
});

test("a test that fails in both places is no difference, whatever its runner prints of its path", async () => {
  using temporary = temporaryFolder();
  const failed = String.raw`"TAP version 13\n# adds\nnot ok 1 should be equal\n  ---\n    operator: equal\n    at: Test.<anonymous> (" + __filename + ":1:1)\n  ...\n1..1"`;
  const verify = [["node", "test/check.js"]];
  using rig = new TreeRig(undefined, { ...FIELDS, verify });
  const check = { "test/check.js": `console.log(${failed});\nprocess.exit(1);\n` };
  const { look, results } = await lookedAt(rig, check, temporary.folder);
  await look();
  expect(results()).toMatchObject([{ outcome: "passed" }]);
});

test("a failure that does not come again is not named", async () => {
  using temporary = temporaryFolder();
  using rig = new TreeRig(undefined, FIELDS);
  const mark = JSON.stringify(join(temporary.folder, "once"));
  const fs = "require('node:fs')";
  const once = `(__dirname.includes("/verify/") || ${fs}.existsSync(${mark}) || ${fs}.writeFileSync(${mark}, ""))`;
  const { look, results } = await lookedAt(rig, files(once), temporary.folder);
  await look();
  expect(results()).toMatchObject([{ outcome: "passed" }]);
});

test("a session of an earlier version is not looked at elsewhere", async () => {
  using temporary = temporaryFolder();
  using rig = new TreeRig(undefined, { ...FIELDS, version: 2 });
  const { look, results } = await lookedAt(rig, files("true"), temporary.folder);
  expect(await look()).toBe("seen");
  expect(results()).toEqual([]);
});

test("where there is no folder for it, that is on record", async () => {
  using rig = new TreeRig(undefined, FIELDS);
  const at = await rig.commit(files("true"));
  await (await rig.clone()).publish(at);
  const tester = rig.tester();
  expect(await lookElsewhere(tester.context, { unit: "final:1", at })).toBe("seen");
  expect(tester.recordsOf("command.result").at(-1)).toMatchObject({
    outcome: "unstarted",
    reason: "the machine has no folder for temporary files",
  });
});
