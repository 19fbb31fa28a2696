import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testerMain } from "../../../src/agents/tester/main.ts";
import type { TurnOutcome } from "../../../src/engines/engine.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { verifyStep } from "../../../src/session/steps/verify-step.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { builder, finding, tester } from "../../rig/records.ts";
import { sessionRig, write, type SessionRig } from "../role-rig.ts";
import { found, PASSED } from "../turns.ts";

const SHOWS = "sh test/shows.sh";
/** The tester's test, which shows the bug while `src/a.txt` says 1. */
const TEST = `set -e\nif grep -q 1 src/a.txt; then echo still-one; exit 1; fi\n`;

/** A script of the project, and the command that runs it. */
const PACKAGE = '{ "scripts": { "test": "sh test/shows.sh" } }\n';
const RUN_SCRIPT = `eval "$(sed -n 's/.*"test": "\\([^"]*\\)".*/\\1/p' package.json)"\n`;

interface Fixing {
  /** The fix's changes in the builder's clone; without them it claims that there is nothing to do. */
  readonly fix?: (cwd: string) => void;
  /** Changes of the tester's unit that reported the bug, which were published with it. */
  readonly brought?: (cwd: string) => void;
  /** Changes that were published between that and the fix, by an earlier fix or by others. */
  readonly earlier?: {
    readonly by: "builder" | "tester" | "person";
    readonly change: (cwd: string) => void;
  };
  readonly bug?: Partial<Finding>;
  readonly says?: TurnOutcome;
}

/** Runs a bug, its fix, and the tester's verdict. */
async function fixed(rig: SessionRig, { fix, bug = {}, says = PASSED, brought, earlier }: Fixing) {
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const publish = async (change: (cwd: string) => void, message: string) => {
    change(clone.directory);
    commit(clone.directory, message);
    const head = await clone.head();
    if (!head.ok) throw new Error("there is no HEAD");
    await clone.publish(head.value);
    return head.value;
  };
  const end = await publish((cwd) => {
    put(cwd, "src/a.txt", "1\n");
    put(cwd, "test/shows.sh", TEST);
    put(cwd, "package.json", PACKAGE);
    put(cwd, "src/run-script.sh", RUN_SCRIPT);
    put(cwd, "test/b.test.js", 'test("b", () => { expect(b()).toBe(2); });\n');
  }, "Build One");
  const own = brought === undefined ? [] : [await publish(brought, "test: cover One")];
  const before = earlier === undefined ? undefined : await publish(earlier.change, "Change it");
  const last = before ?? own[0] ?? end;
  const sha = fix === undefined ? last : await publish(fix, "Fix it");
  const item = finding("BUG-000001", { command: SHOWS, file: "src/a.txt", ...bug });
  const outcome = fix === undefined ? "nochange" : "fixed";
  write(rig.at, {
    builder: [
      builder.adopt({ One: ["a"] }),
      builder.build({
        m: "One",
        outcome: "milestone",
        commits: [end],
        milestones: [{ name: "One", start: rig.session.base, end }],
      }),
      ...(earlier?.by === "builder"
        ? [builder.fix({ id: item.id, attempt: 1, outcome: "fixed", sha: before })]
        : []),
      builder.fix({ id: item.id, attempt: earlier?.by === "builder" ? 2 : 1, outcome, sha }),
    ],
    tester: [
      tester.test("One", { unit: `test:One:${end}`, bugs: [item], commits: own }),
      ...(earlier?.by === "tester" && before !== undefined
        ? [tester.final(1, { at: before, commits: [before] })]
        : []),
    ],
  });
  const role = rig.role("tester", () => says);
  const state = await rig.at.state();
  const reason = "It is meant so.";
  const unit = `fix:${item.id}:1`;
  const step = verifyStep({ id: item.id, unit, attempt: 1, outcome, sha, reason });
  await testerMain(role.context).perform(step, state);
  return { ...role, verdict: role.recordsOf("verify.end")[0], sha, end };
}

const mend = (cwd: string) => {
  put(cwd, "src/a.txt", "2\n");
};

test("a bug's command alone closes it, without a turn", async () => {
  using rig = sessionRig();
  const { verdict, asked, recordsOf, sha } = await fixed(rig, { fix: mend });
  expect(verdict).toMatchObject({ verdict: "closed", sha });
  expect(asked).toEqual([]);
  expect(recordsOf("command.result")).toMatchObject([{ at: sha, outcome: "passed" }]);
  expect(readFileSync(rig.at.home.bugs, "utf8")).toContain("CLOSED BUG-000001 attempt 1");
});

test("while its command fails, a bug is reopened with the command's output, whatever anybody claims", async () => {
  using rig = sessionRig();
  const touch = (cwd: string) => {
    put(cwd, "src/a.txt", "1 or 2\n");
  };
  const { verdict, asked } = await fixed(rig, { fix: touch });
  expect(verdict).toMatchObject({ verdict: "reopened" });
  expect(verdict?.reason).toMatch(
    /^its command still fails: still-one \(it exited with 1\) \(logs\/turns\/.*-bug-.*\.out\)$/,
  );
  expect(asked).toEqual([]);
});

test.each([
  ["sh test/gone.sh", "names test/gone.sh, which is neither in the tree"],
  ["env no-such-program-of-ours", "a program is missing"],
])(
  "an engine decides about a fix if the bug's command `%s` proves nothing",
  async (command, why) => {
    using rig = sessionRig();
    const { verdict, asked } = await fixed(rig, { fix: mend, bug: { command } });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.prompt).toContain(why);
    expect(verdict).toMatchObject({ verdict: "closed" });
  },
);

test("a claim that nothing needs fixing counts only if the bug's command passes", async () => {
  using rig = sessionRig();
  const { verdict, asked } = await fixed(rig, {});
  expect(verdict).toMatchObject({ verdict: "reopened" });
  expect(asked).toEqual([]);
  using other = sessionRig();
  const { verdict: second } = await fixed(other, { bug: { command: "true" } });
  expect(second).toMatchObject({ verdict: "closed" });
});

test("the reason of a command without output is how it ended, without brackets", async () => {
  using rig = sessionRig();
  const { verdict } = await fixed(rig, { bug: { command: "false" } });
  expect(verdict?.reason).toBe("its command still fails: it exited with 1");
});

test("a fix that removes a test reopens the bug", async () => {
  using rig = sessionRig();
  const { verdict, asked } = await fixed(rig, {
    fix: (cwd) => {
      mend(cwd);
      put(cwd, "test/b.test.js", 'test.skip("b", () => { expect(b()).toBe(2); });\n');
    },
  });
  expect(verdict).toMatchObject({ verdict: "reopened" });
  expect(verdict?.reason).toContain('test/b.test.js:1 "b": skipped');
  expect(asked).toEqual([]);
});

test.each([
  [PASSED, "closed"],
  [found("Bug", "test/shows.sh:1"), "reopened"],
] as const)(
  "if a command passes only with tests that the fix changed, the engine decides",
  async (says, what) => {
    using rig = sessionRig();
    const { verdict, asked, end } = await fixed(rig, {
      says,
      fix: (cwd) => {
        put(cwd, "test/shows.sh", "exit 0\n");
      },
    });
    expect(asked.map(({ purpose }) => purpose)).toEqual(["verify-fix"]);
    expect(asked[0]?.prompt).toContain("only with the tests that the fix changed (test/shows.sh)");
    expect(asked[0]?.prompt).toContain("still-one");
    expect(verdict).toMatchObject({ verdict: what });
    expect(end).not.toBe("");
  },
);

test("if a command passes only because the fix changed what it runs, the engine decides", async () => {
  using rig = sessionRig();
  const { asked } = await fixed(rig, {
    bug: { command: "sh src/run-script.sh" },
    fix: (cwd) => {
      put(cwd, "package.json", PACKAGE.replace("sh test/shows.sh", "true"));
    },
  });
  expect(asked[0]?.prompt).toContain("only with the tests that the fix changed (package.json)");
  expect(asked[0]?.prompt).toContain("still-one");
});

/** A test and the bug's command read the same file. */
const reading = (path: string) => (cwd: string) => {
  put(cwd, path, "2\n");
  put(cwd, "src/check.sh", `cmp src/a.txt ${path} || { echo still-one; exit 1; }\n`);
  put(cwd, "test/b.test.js", `test("b", () => { expect(read("${path}")).toBe(b()); });\n`);
};

test.each([
  ["expected/a.txt", "only with the tests that the fix changed (expected/a.txt)"],
  ["test/fixtures/a.txt", "only with the tests that the fix changed (test/fixtures/a.txt)"],
  ["src/a.golden.txt", "only with the tests that the fix changed (src/a.golden.txt)"],
])(
  "if a command passes only because the fix bent %s, whose path says that it is for tests, the engine decides",
  async (path, why) => {
    using rig = sessionRig();
    const { verdict, asked } = await fixed(rig, {
      bug: { command: "sh src/check.sh" },
      earlier: { by: "person", change: reading(path) },
      fix: (cwd) => put(cwd, path, "1\n"),
      says: found("Bug", `${path}:1`),
    });
    expect(asked[0]?.prompt).toContain(why);
    expect(asked[0]?.prompt).toContain("still-one");
    expect(verdict).toMatchObject({ verdict: "reopened" });
  },
);

test("if a command passes because the fix changed data that tests read, too, the bug is closed", async () => {
  using rig = sessionRig();
  const { verdict, asked } = await fixed(rig, {
    bug: { command: "sh src/check.sh" },
    earlier: { by: "person", change: reading("data/a.txt") },
    fix: (cwd) => put(cwd, "data/a.txt", "1\n"),
  });
  expect(verdict).toMatchObject({ verdict: "closed" });
  expect(asked).toEqual([]);
});

test("a fix may change tests if the command also passes with the old ones", async () => {
  using rig = sessionRig();
  const { verdict, asked, recordsOf } = await fixed(rig, {
    fix: (cwd) => {
      mend(cwd);
      put(cwd, "test/shows.sh", `${TEST}test -s src/a.txt\n`);
    },
  });
  expect(verdict).toMatchObject({ verdict: "closed" });
  expect(asked).toEqual([]);
  expect(recordsOf("command.result").map(({ tests }) => tests !== undefined)).toEqual([
    false,
    true,
  ]);
});

test("the engine judges the fix of a bug whose command cannot be run", async () => {
  using rig = sessionRig();
  const { verdict, asked } = await fixed(rig, { fix: mend, bug: { command: "a | b" } });
  expect(asked.map(({ purpose }) => purpose)).toEqual(["verify-fix"]);
  expect(verdict).toMatchObject({ verdict: "closed" });
});

/** The tester's test, bent to the bug. */
const bend = (cwd: string) => {
  put(cwd, "test/own.sh", "exit 0\n");
};
/** The tester's test as it came with the bug, in a file of its own. */
const bring = (cwd: string) => {
  put(cwd, "test/own.sh", TEST);
};

test.each([
  ["bends it", bend],
  [
    "bends it and mends something else",
    (cwd: string) => {
      bend(cwd);
      put(cwd, "src/a.txt", "1, again\n");
    },
  ],
])(
  "a bug is not closed while its own test fails where wisp runs it, whatever the engine would say: a fix %s",
  async (_what, fix) => {
    using rig = sessionRig();
    const bug = { command: "sh test/own.sh" };
    const { verdict, asked } = await fixed(rig, { bug, brought: bring, fix });
    expect(verdict).toMatchObject({ verdict: "reopened" });
    expect(verdict?.reason).toContain("fails with the tests that came with it (test/own.sh)");
    expect(verdict?.reason).toContain("a person dismisses the bug");
    expect(verdict?.reason).toContain("still-one");
    expect(asked).toEqual([]);
  },
);

test.each(["nochange", "fixed"])(
  "nor is it closed by a later attempt (%s) that leaves the bent test as it is",
  async (outcome) => {
    using rig = sessionRig();
    const { verdict, asked } = await fixed(rig, {
      bug: { command: "sh test/own.sh" },
      brought: bring,
      earlier: { by: "builder", change: bend },
      ...(outcome === "fixed" ? { fix: (cwd) => put(cwd, "src/a.txt", "1, again\n") } : {}),
    });
    expect(verdict).toMatchObject({ verdict: "reopened" });
    expect(verdict?.reason).toContain("still-one");
    expect(asked).toEqual([]);
  },
);

test("a right fix closes a bug although an earlier one bent its test", async () => {
  using rig = sessionRig();
  const { verdict, asked } = await fixed(rig, {
    bug: { command: "sh test/own.sh" },
    brought: bring,
    earlier: { by: "builder", change: bend },
    fix: mend,
  });
  expect(verdict).toMatchObject({ verdict: "closed" });
  expect(asked).toEqual([]);
});

test.each(["tester", "person"] as const)(
  "if the test itself was wrong, it counts as the %s left it last",
  async (by) => {
    using rig = sessionRig();
    const { verdict, asked } = await fixed(rig, {
      bug: { command: "sh test/own.sh" },
      brought: bring,
      earlier: { by, change: bend },
    });
    expect(verdict).toMatchObject({ verdict: "closed" });
    expect(asked).toEqual([]);
  },
);

test.each([
  ["leaves out", () => undefined, "reopened"],
  ["bends", bend, "reopened"],
  ["keeps", bring, "reopened"],
  ["leaves out", mend, "closed"],
  [
    "bends",
    (cwd: string) => {
      bend(cwd);
      mend(cwd);
    },
    "closed",
  ],
] as const)(
  "a fix that %s a test that was saved with the bug: %#",
  async (_what, change, expected) => {
    using rig = sessionRig();
    const clone = await rig.role("tester").context.clone();
    await clone.syncTo();
    bring(clone.directory);
    const saved = await clone.rescueAndReset();
    const { verdict, asked } = await fixed(rig, {
      bug: { command: "sh test/own.sh", tests: saved.ok ? saved.value.rescue : "" },
      fix: (cwd) => {
        put(cwd, "src/b.txt", "b\n");
        change(cwd);
      },
    });
    expect(verdict).toMatchObject({ verdict: expected });
    if (expected === "reopened") expect(verdict?.reason).toContain("still-one");
    // Without its test, the command of a fixed bug says nothing of the commit itself.
    expect(asked).toHaveLength(change === mend ? 1 : 0);
  },
);

test.each(["the tester's clone", "the checkout"])(
  "the command of a bug from before is run on the fix, though its paths name %s",
  async (where) => {
    const placeIn = async (rig: SessionRig) =>
      where === "the checkout"
        ? rig.session.repository
        : (await rig.role("tester").context.clone()).directory;
    using rig = sessionRig();
    const command = `sh ${await placeIn(rig)}/test/shows.sh`;
    const right = await fixed(rig, { fix: mend, bug: { command } });
    expect(right.verdict).toMatchObject({ verdict: "closed" });
    expect(right.asked).toEqual([]);
    using other = sessionRig();
    const place = await placeIn(other);
    // Where its paths lead, all is well; it is the commit that counts.
    put(place, "src/a.txt", "2\n");
    put(place, "test/shows.sh", TEST);
    const wrong = await fixed(other, {
      fix: (cwd) => {
        put(cwd, "src/a.txt", "1 again\n");
      },
      bug: { command: `sh -c 'cd ${place} && sh test/shows.sh'` },
    });
    expect(wrong.verdict).toMatchObject({ verdict: "reopened" });
    expect(wrong.asked).toEqual([]);
  },
);

test.each([["node /tmp/rr.js"], ["cat /etc/nowhere-at-all"]])(
  "the command of a bug from before that names what no tree has, `%s`, says nothing of a fix",
  async (command) => {
    using rig = sessionRig();
    const { asked, recordsOf } = await fixed(rig, { fix: mend, bug: { command } });
    expect(recordsOf("command.result")).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.prompt).toContain(`it names ${command.split(" ")[1] ?? ""}, which`);
  },
);
