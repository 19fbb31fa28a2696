import { expect, test } from "vitest";
import { verifiedAt, verifiedWords } from "../../src/workspace/finished/verified-at.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const ran = (at: string, outcome: string) =>
  `verify.result at=${oid(at)} tree=${oid(at)} command=c0ffee setup=x outcome=${outcome}`;
const milestones = json([{ name: "One", tasks: ["Say hello"] }]);
const adopt = `plan.adopt plan=${"a".repeat(64)} seq=0 request=0 milestones=${milestones}`;
const range = json([{ name: "One", start: oid("0"), end: oid("1") }]);
const built =
  `build.end unit=build:One:1 m=One outcome=milestone ticks=${json([{ m: "One", tasks: [1] }])} ` +
  `commits=${oid("1")} milestones=${range}`;
const ended = (at: string) => [
  ...[adopt, built, `final.open n=1 at=${oid(at)}`],
  `done how=complete head=${oid(at)} open=- gaveup=- failed="[]" human=0 reason=ok`,
];
const passed = (at: string, verify: string) =>
  `final.end unit=final:1 n=1 at=${oid(at)} verify=${verify} outcome=tested bugs="[]" commits=-`;

test.each<readonly [string, readonly Story[], string]>([
  ["it never ran", [{}], "was not run"],
  [
    "at a milestone of a session that continues",
    [{ builder: [ran("1", "passed")] }],
    "passed at 1111111111, and did not run at 5555555555, where the branch is",
  ],
  [
    "the same tree once more, at another commit",
    [{ builder: [ran("1", "passed"), ran("2", "failed"), ran("1", "passed")] }],
    "passed at 1111111111, and did not run at 5555555555, where the branch is",
  ],
  [
    "at the end",
    [{ builder: [ran("1", "failed"), ...ended("5")], tester: [passed("5", "passed")] }],
    "passed at 5555555555",
  ],
  [
    "red as before",
    [{ builder: [...ended("5")], tester: [passed("5", "asbase")] }],
    "failed no more than before the work began at 5555555555",
  ],
  [
    "at the end, and commits came later",
    [{ builder: [...ended("2")], tester: [passed("2", "passed")] }],
    "passed at 2222222222, and did not run at 5555555555, where the branch is",
  ],
  [
    "at the end of its revision",
    [
      { builder: [...ended("2")], tester: [passed("2", "passed")] },
      { builder: [ran("3", "passed"), ...ended("5")], tester: [passed("5", "excused")] },
    ],
    "failed, and a person dismissed that at 5555555555",
  ],
  [
    "it has a new revision",
    [{ builder: [...ended("5")], tester: [passed("5", "passed")] }, {}],
    "passed at 5555555555",
  ],
])("names the result of verify with its commit: %s", (_, family, says) => {
  const states = family.map((story) => factsOf(story).state);
  expect(verifiedWords(verifiedAt(states), oid("5"))).toBe(says);
});
