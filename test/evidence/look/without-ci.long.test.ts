import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REFERENCE, verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import type { Oid } from "../../../src/base/oid.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import type { RoleContext } from "../../../src/work/role-context.ts";
import { SANDBOXES, TreeRig } from "../verify-tree/tree-rig.ts";

/** Is red where a file says so of the value of `CI` that it gets, and prints that. */
const CHECK = `
const { CI = "none" } = process.env;
const red = require("node:fs").readFileSync("red", "utf8").trim().split(" ");
console.log((red.includes(CI) ? "not ok" : "ok") + " 1 - with " + CI);
process.exit(red.includes(CI) ? 1 : 0);
`;
const GIVEN = { env: [], ci: true };

/** A session whose suite is red at the base with these values of `CI`. */
function sessionWith(
  red: string,
  { bwrap, ...fields }: Partial<SessionJson> & { readonly bwrap?: string | undefined } = {},
  env: Readonly<Record<string, string>> = {},
) {
  const session = { verify: [["node", "check.cjs"]], commands: GIVEN, ...fields };
  const files = { red: `${red}\n`, "check.cjs": CHECK };
  const rig = new TreeRig(bwrap, session, { files, env: () => env });
  const fold = (): BuilderFold =>
    rig.builder
      .records()
      .reduce((state, record) => foldBuilder(state, record, rig.rig.session.policy), EMPTY_BUILDER);
  const verify = (at: Oid) => verifyAt(rig.builder.context, fold(), at);
  const printed = () => {
    const { output = "" } = rig.builder.recordsOf("look").at(-1) ?? {};
    return readFileSync(join(rig.rig.at.home.turns, `${output}.out`), "utf8");
  };
  const notes = () => rig.builder.recordsOf("note").map(({ text }) => text);
  /** The base is judged, and the work begins. */
  const plan = () => {
    const { journal } = rig.builder.context;
    const milestones = [{ name: "One", tasks: ["Work"] }];
    const adopted = { seq: 0, plan: "p", request: 0, milestones };
    journal.append({ kind: "plan.adopt", time: journal.time(), ...adopted });
  };
  const { base } = rig.rig.session;
  return {
    rig,
    base,
    fold,
    verify,
    printed,
    notes,
    plan,
    [Symbol.dispose]: () => rig[Symbol.dispose](),
  };
}

/** What a command prints of `CI` in a tree of a commit. */
async function ciIn({ trees, home }: RoleContext<"builder" | "tester">, at: Oid): Promise<string> {
  const path = join(home.turns, "asked.out");
  const argv = ["node", "-p", "'CI is ' + process.env.CI"];
  await trees.use({ at, output: "asked" }, ({ run }) =>
    run(argv, { outputPath: path, timeoutMs: 60_000, envNames: [] }),
  );
  return /CI is (\w+)\n$/.exec(readFileSync(path, "utf8"))?.[1] ?? "";
}

describe.each(SANDBOXES.filter(({ isThere }) => isThere))("with $sandbox", ({ bwrap }) => {
  test("a suite that is red at the base with CI=true and green without runs without from then on, in every role", async () => {
    using at = sessionWith("true", { bwrap });
    expect(await at.verify(at.base)).toMatchObject({ outcome: "passed", ci: "no" });
    expect(at.rig.builder.recordsOf("verify.result")).toMatchObject([{ ci: "no" }]);
    expect(at.fold().baseline).toMatchObject({ outcome: "passed", ci: "no" });
    expect(at.notes()).toEqual([
      `verify is red at ${at.base.slice(0, 12)} with CI=true, and green without: it runs without from now on`,
    ]);
    const looks = at.rig.builder.recordsOf("look");
    expect(looks.map(({ verdict, ci }) => [verdict, ci]).at(-1)).toEqual(["green", "no"]);
    at.plan();
    const work = await at.rig.commit({ word: "hello\n" });
    expect(await at.verify(work)).toMatchObject({ outcome: "passed" });
    expect(at.rig.builder.recordsOf("look")).toHaveLength(looks.length + 1);
    expect(at.printed()).toContain("ok 1 - with none");
    expect(at.notes()).toHaveLength(1);
    expect(await ciIn(at.rig.tester().context, at.base)).toBe("undefined");
  });
});

test("so does a build", async () => {
  using at = sessionWith("", { build: [["node", "-e", "process.exit(process.env.CI ? 1 : 0)"]] });
  expect(await at.verify(at.base)).toMatchObject({ outcome: "passed", ci: "no" });
  at.plan();
  const work = await at.rig.commit({ word: "hello\n" });
  expect(await at.verify(work)).toMatchObject({ outcome: "passed" });
});

test("a base that is looked at again goes on without, and that is said once", async () => {
  using at = sessionWith("true");
  await at.verify(at.base);
  const isJudged = { ...REFERENCE, isJudged: true };
  const known = at.fold();
  const fold = { ...known, verified: new Map() };
  const again = await verifyAt(at.rig.builder.context, fold, at.base, isJudged);
  expect(again).toMatchObject({ outcome: "passed", ci: "no" });
  // At once, unlike the first time.
  expect(again).not.toHaveProperty("looks");
  expect(at.fold().baseline).toMatchObject({ ci: "no" });
  expect(at.notes()).toHaveLength(1);
});

test.each<
  readonly [string, string, Partial<SessionJson>, Readonly<Record<string, string>>, number]
>([
  ["is red without CI=true, too", "true none", {}, {}, 4],
  ["has a CI of the person's", "yes", {}, { CI: "yes" }, 3],
  ["gets none", "none", { commands: { env: [], ci: false } }, {}, 3],
])("a suite that %s is red at the base as it was", async (...each) => {
  const [, red, fields, env, looks] = each;
  using at = sessionWith(red, fields, env);
  expect(await at.verify(at.base)).toMatchObject({ outcome: "failed" });
  expect(at.fold().baseline?.ci).toBeUndefined();
  expect(at.notes()).toEqual([]);
  expect(at.rig.builder.recordsOf("look")).toHaveLength(looks);
});

test("what is green with CI=true keeps it, also where a later commit is red with it", async () => {
  using at = sessionWith("");
  expect(await at.verify(at.base)).toMatchObject({ outcome: "passed" });
  expect(at.fold().baseline?.ci).toBeUndefined();
  at.plan();
  const work = await at.rig.commit({ red: "true\n" });
  expect(await at.verify(work)).toMatchObject({ outcome: "failed" });
  expect(await ciIn(at.rig.builder.context, work)).toBe("true");
});
