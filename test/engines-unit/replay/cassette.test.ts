import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decodeCassette, type CassetteFailure } from "../../../src/engines/replay/cassette.ts";

function failureOf(text: string): CassetteFailure | undefined {
  const decoded = decodeCassette(text);
  return decoded.ok ? undefined : decoded.failure;
}

test("the example in the documentation is a valid cassette", () => {
  const source = readFileSync("src/engines/replay/cassette-schema.ts", "utf8");
  const example = [...source.matchAll(/^ \* {5}(.*)$/gmu)].map(([, line = ""]) => line);
  const decoded = decodeCassette(example.join("\n"));
  expect(decoded).toMatchObject({ ok: true });
  expect(decoded.ok && decoded.value.turns).toHaveLength(4);
  expect(decoded.ok && decoded.value.defaults.get("review-commit")?.steps).toHaveLength(1);
});

test("turns and steps have their line numbers", () => {
  const text = `version: 1
turns:
  - on: { purpose: plan }
    do:
      - plan: |
          ## Milestone: A
          - [ ] a
      - delay: 5
  - on: { purpose: build }
    do:
      - tick: [1, second]
defaults:
  final-test:
    - print: "### Verdict: PASSED"
`;
  expect(decodeCassette(text)).toMatchObject({
    ok: true,
    value: {
      turns: [
        { line: 3, steps: [{ line: 5 }, { line: 8, act: { delay: 5 } }] },
        { line: 9, steps: [{ line: 11, act: { tick: [1, "second"] } }] },
      ],
      defaults: new Map([["final-test", expect.objectContaining({ line: 13 })]]),
    },
  });
});

const TURN = "version: 1\nturns:\n  - on: { purpose: fix }\n    do:\n";

test.each([
  ["invalid YAML", "version: 1\nturns: [\n", "3 ", /./u],
  ["a key twice", "version: 1\nversion: 1\n", "2 ", /unique/u],
  ["another version", "version: 2\nturns: []\n", "1 version", /expected 1/u],
  ["no turns", "version: 1\n", "1 turns", /expected array/u],
  [
    "an unknown condition",
    "version: 1\nturns:\n  - on:\n      purpos: fix\n    do: []\n",
    "4 turns[0].on.purpos",
    /purpos/u,
  ],
  [
    "an unknown purpose",
    "version: 1\nturns:\n  - on: { purpose: mend }\n    do: []\n",
    "3 turns[0].on.purpose",
    /"fix"/u,
  ],
  [
    "an unknown step",
    `${TURN}      - delay: 1\n      - pring: x\n`,
    "6 turns[0].do[1].pring",
    /pring/u,
  ],
  [
    "a missing field",
    `${TURN}      - patch: { path: a, find: b }\n`,
    "5 turns[0].do[0].patch.replace",
    /expected string/u,
  ],
  [
    "two steps in one",
    `${TURN}      - delay: 1\n        exit: 2\n`,
    "5 turns[0].do[0]",
    /exactly one key/u,
  ],
  ["an empty step", `${TURN}      - {}\n`, "5 turns[0].do[0]", /exactly one key/u],
  [
    "a path outside",
    `${TURN}      - delete: { path: ../x }\n`,
    "5 turns[0].do[0].delete.path",
    /inside the clone/u,
  ],
  [
    "an absolute path",
    `${TURN}      - write: { path: /x, content: "" }\n`,
    "5 turns[0].do[0].write.path",
    /inside the clone/u,
  ],
  ["a tick of nothing", `${TURN}      - tick: true\n`, "5 turns[0].do[0].tick", /number or text/u],
  ["the tick of task 0", `${TURN}      - tick: 0\n`, "5 turns[0].do[0].tick", />0/u],
  ["an unknown default", "version: 1\nturns: []\ndefaults:\n  mend: []\n", "4 defaults.mend", /./u],
  ["an unknown signal", `${TURN}      - kill: SIGNOTHING\n`, "5 turns[0].do[0].kill", /SIGKILL/u],
])("refuses %s and names its line and key", (_, text, place, problem) => {
  const failure = failureOf(text);
  expect(`${failure?.line ?? ""} ${failure?.key ?? ""}`).toBe(place);
  expect(failure?.problem).toMatch(problem);
});

test.each(["", "just text", "[]", "null", "a: *b", "- &a [*a]"])("refuses %j", (text) => {
  expect(failureOf(text)).toMatchObject({ kind: "cassette" });
});
