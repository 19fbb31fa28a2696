import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Milestone,
  parseTasks,
  planMilestones,
  type TickSets,
} from "../../src/fs-protocol/tasks/tasks-md.ts";
import { renderTasks } from "../../src/fs-protocol/tasks/tasks-render.ts";
import { newTicks, replaceTicks, setTicks } from "../../src/fs-protocol/tasks/tasks-ticks.ts";

const RUNS = 100;

function sets(...entries: readonly (readonly [string, readonly number[]])[]): TickSets {
  return new Map(entries.map(([name, ordinals]) => [name, new Set(ordinals)]));
}

function milestonesOf(text: string): readonly Milestone[] {
  const result = parseTasks(text);
  return result.ok ? result.value.milestones : [];
}

/** Boxes of a plan by `<name>#<ordinal>`, ticked or not. */
function boxes(text: string): Map<string, boolean> {
  return new Map(
    milestonesOf(text).flatMap(({ name, tasks }) =>
      tasks.map(({ ordinal, ticked }) => [`${name}#${String(ordinal)}`, ticked] as const),
    ),
  );
}

const eol = fc.constantFrom("\n", "\r\n");
const box = fc.constantFrom(" ", "x", "X");
const words = fc.oneof(
  fc.constantFrom(
    "Add `a|b`",
    "[docs] *say* it",
    "[x] again [ ]",
    "é 🚀 <b>",
    "a](b) \\# ![",
    "\t&amp;",
  ),
  fc.stringMatching(/^[a-z][a-z ]{0,9}[a-z]$/),
);
const task = fc
  .record({
    marker: fc.constantFrom("- ", "* ", "+ ", "1. ", "2) ", "-  ", "-\t"),
    box,
    words,
    under: fc.constantFrom(
      "",
      "  - step",
      "  - [ ] step",
      "\t- [x] step",
      "  more words",
      "lazy",
      "   ```\n   - [ ] code\n   ```",
      "\n  - [X] loose",
    ),
  })
  .map(({ marker, box, words, under }) => `${marker}[${box}] ${words}${under && `\n${under}`}\n`);
const between = fc.constantFrom(
  "",
  "\n",
  "Free text.\n\n",
  "\n```md\n## Milestone: code\n- [ ] no\n```\n\n",
  "\n> - [ ] quoted\n\n",
  "\n<!--\n- [ ] no\n-->\n\n",
  "\n### Sub\n",
  "\n- plain\n- bullets\n\n",
);
const milestone = fc
  .tuple(between, fc.array(fc.tuple(task, between), { minLength: 1, maxLength: 5 }))
  .map(([lead, tasks]) => `${lead}${tasks.map((pair) => pair.join("")).join("")}`);
/** Valid plans in every notation, with up to three milestones called 1, 2, 3. */
const plan = fc
  .record({
    mark: fc.constantFrom("", "\ufeff"),
    lead: fc.constantFrom("", "# Plan\n\nWords.\n\n", "- [ ] outside\n\n"),
    milestones: fc.array(milestone, { minLength: 1, maxLength: 3 }),
    eol,
    end: fc.constantFrom("", "\n# End\n- [x] outside\n"),
  })
  .map(({ mark, lead, milestones, eol, end }) => {
    const sections = milestones.map(
      (text, index) => `## Milestone: ${String(index + 1)}\n${text}\n`,
    );
    return (mark + lead + sections.join("") + end).replaceAll("\n", eol);
  });
const ticks: fc.Arbitrary<TickSets> = fc
  .array(fc.tuple(fc.constantFrom("1", "2", "3", "4"), fc.array(fc.integer({ min: 0, max: 9 }))))
  .map((entries) => sets(...entries));
/** Texts that are not plans. */
const junk = fc
  .array(
    fc.constantFrom(
      ...[
        "## Milestone: 1",
        "\n",
        "\r",
        "\r\n",
        "\t",
        " ",
        "  ",
        "- ",
        "[ ]",
        "[x]",
        "[X]",
        "> ",
        "```",
      ],
      ...[
        "1. ",
        "text",
        "#",
        "[",
        "]",
        "\u0000",
        "\ufeff",
        "<!--",
        "-->",
        "| a |",
        "---",
        "\\",
        "\ud800",
      ],
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

/** Offsets at which two texts of the same length differ. */
function differences(before: string, after: string): readonly number[] {
  expect(after).toHaveLength(before.length);
  return Array.from({ length: before.length }, (_, at) => at).filter(
    (at) => before[at] !== after[at],
  );
}

test("ticking changes one character of a box and nothing else", () => {
  const text =
    "\ufeff# P\r\n\r\n## Milestone: A\r\n\r\n-\t[ ] one\r\n\t- [ ] step\r\n- [X] two\r\n1) [ ] three";
  expect(setTicks(text, sets(["A", [1, 2, 3]]))).toBe(
    "\ufeff# P\r\n\r\n## Milestone: A\r\n\r\n-\t[x] one\r\n\t- [ ] step\r\n- [X] two\r\n1) [x] three",
  );
  expect(replaceTicks(text, sets())).toBe(text.replace("[X]", "[ ]"));
});

test("ignores unknown milestones and ordinals", () => {
  const text = "## Milestone: A\n- [ ] one\n";
  expect(setTicks(text, sets(["B", [1]], ["A", [0, 2, -1]]))).toBe(text);
});

test("in every plan, ticking changes exactly the named open boxes", () => {
  fc.assert(
    fc.property(plan, ticks, (text, named) => {
      const before = boxes(text);
      const after = setTicks(text, named);
      const changed = differences(text, after);
      for (const at of changed) {
        expect(text.slice(at - 1, at + 2)).toBe("[ ]");
        expect(after.slice(at - 1, at + 2)).toBe("[x]");
      }
      const isNamed = (key: string) => {
        const [name = "", ordinal] = key.split("#");
        return named.get(name)?.has(Number(ordinal)) === true;
      };
      expect(before.size).toBeGreaterThan(0);
      expect(boxes(after)).toEqual(
        new Map([...before].map(([key, ticked]) => [key, ticked || isNamed(key)])),
      );
      expect(changed).toHaveLength(
        [...before].filter(([key, ticked]) => !ticked && isNamed(key)).length,
      );
    }),
    { numRuns: RUNS },
  );
});

test("in every plan, clearing all ticks undoes ticking, and both are idempotent", () => {
  fc.assert(
    fc.property(plan, ticks, (text, named) => {
      const open = replaceTicks(text, sets());
      const ticked = setTicks(open, named);
      expect(setTicks(ticked, named)).toBe(ticked);
      expect(replaceTicks(ticked, sets())).toBe(open);
      expect(replaceTicks(open, sets())).toBe(open);
      expect(replaceTicks(text, named).replaceAll("[X]", "[x]")).toBe(
        ticked.replaceAll("[X]", "[x]"),
      );
      expect([...boxes(open).values()].some((isTicked) => isTicked)).toBe(false);
    }),
    { numRuns: RUNS },
  );
});

test("in any text, ticking changes only boxes", () => {
  fc.assert(
    fc.property(junk, ticks, (text, named) => {
      const after = setTicks(text, named);
      for (const at of differences(text, after)) {
        expect(text.slice(at - 1, at + 2)).toMatch(/^\[[ \t]\]$/);
        expect(after[at]).toBe("x");
      }
      expect(setTicks(after, named)).toBe(after);
      expect(replaceTicks(after, sets())).toHaveLength(text.length);
    }),
    { numRuns: 1_000 },
  );
});

test("new ticks are those that went from open to ticked", () => {
  const before =
    "## Milestone: A\n- [x] one\n- [ ] two\n- [ ] three\n\n## Milestone: B\n- [ ] four\n";
  const after = before.replace("[ ] two", "[X] two").replace("[ ] four", "[x] four");
  expect(newTicks(before, after)).toEqual({ ticks: sets(["A", [2]], ["B", [1]]), altered: false });
  expect(newTicks(before, before)).toEqual({ ticks: sets(), altered: false });
});

test("other line ends, trailing blanks and ticked steps do not count as alterations of a copy", () => {
  const before = "## Milestone: A\n- [ ] one\n  - [ ] step\n";
  const after = "\ufeff## Milestone: A  \r\n- [x] one\r\n  - [x] step\r\n\r\n";
  expect(newTicks(before, after)).toEqual({ ticks: sets(["A", [1]]), altered: false });
});

test.each([
  [
    "a tick was cleared",
    "## Milestone: A\n- [ ] one\n- [x] two\n\n## Milestone: B\n- [ ] b\n",
    [2],
  ],
  [
    "a text was changed",
    "## Milestone: A\n- [x] One\n- [x] two\n\n## Milestone: B\n- [ ] b\n",
    [2],
  ],
  [
    "a task was added",
    "## Milestone: A\n- [x] one\n- [x] two\n- [x] new\n\n## Milestone: B\n- [ ] b\n",
    [2],
  ],
  ["a task was removed", "## Milestone: A\n- [x] one\n\n## Milestone: B\n- [ ] b\n", []],
  [
    "tasks changed places",
    "## Milestone: A\n- [x] two\n- [x] one\n\n## Milestone: B\n- [ ] b\n",
    [],
  ],
  [
    "milestones changed places",
    "## Milestone: B\n- [ ] b\n\n## Milestone: A\n- [x] one\n- [x] two\n",
    [2],
  ],
  [
    "free text was added",
    "Done!\n\n## Milestone: A\n- [x] one\n- [x] two\n\n## Milestone: B\n- [ ] b\n",
    [2],
  ],
  [
    "it is no longer a plan",
    "### Milestone: x\n## Milestone: A\n- [x] one\n- [x] two\n- []\n",
    [2],
  ],
  ["it is empty", "", []],
  ["it is too large", `## Milestone: A\n- [x] one\n- [x] two\n${"\n".repeat(6_000)}`, []],
])(
  "reports other alterations of the copy, and still counts matching ticks: %s",
  (_, after, ordinals) => {
    const before = "## Milestone: A\n- [x] one\n- [ ] two\n\n## Milestone: B\n- [ ] b\n";
    const ticks = ordinals.length > 0 ? sets(["A", ordinals]) : sets();
    expect(newTicks(before, after)).toEqual({ ticks, altered: true });
  },
);

test("of a repeated section, only the first counts", () => {
  const before = "## Milestone: A\n- [ ] one\n";
  const after = "## Milestone: A\n- [ ] one\n\n## Milestone: A\n- [x] one\n";
  expect(newTicks(before, after)).toEqual({ ticks: sets(), altered: true });
});

test("in every plan, the new ticks are exactly those that were set", () => {
  fc.assert(
    fc.property(plan, ticks, eol, (text, named, otherEol) => {
      const after = setTicks(text, named).replaceAll(/\r?\n/g, otherEol);
      const before = boxes(text);
      const expected = [...boxes(after)].filter(([key, isTicked]) => isTicked && !before.get(key));
      const { ticks: found, altered } = newTicks(text, after);
      expect(altered).toBe(false);
      const keys = [...found].flatMap(([name, ordinals]) =>
        [...ordinals].map((n) => `${name}#${String(n)}`),
      );
      expect(keys).toEqual(expected.map(([key]) => key));
    }),
    { numRuns: RUNS },
  );
});

test("a rendered plan parses to the same plan, with its ticks", () => {
  fc.assert(
    fc.property(plan, ticks, (text, named) => {
      const milestones = milestonesOf(text);
      const again = milestonesOf(renderTasks(milestones, named));
      const expected = milestones.map(({ name, tasks }) => ({
        name,
        tasks: tasks.map((task) => ({
          ...task,
          ticked: named.get(name)?.has(task.ordinal) === true,
        })),
      }));
      expect(again).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test("names and tasks of anything that parses survive rendering", () => {
  fc.assert(
    fc.property(junk, (rest) => {
      const parsed = parseTasks(`## Milestone: 1\n- [ ] one${rest}`);
      if (!parsed.ok) return;
      const again = parseTasks(renderTasks(parsed.value.milestones));
      expect(again.ok && planMilestones(again.value)).toEqual(planMilestones(parsed.value));
    }),
    { numRuns: RUNS },
  );
});

test("a plan is rendered as headings, boxes and nested steps", () => {
  const plan = [
    { name: "A|b", tasks: [{ text: "[setup] one", steps: ["first", "second"] }, "two"] },
    { name: "C", tasks: ["three"] },
  ];
  expect(renderTasks(plan, sets(["A|b", [2]]))).toBe(
    [
      "## Milestone: A|b",
      "",
      "- [ ] [setup] one",
      "  - first",
      "  - second",
      "- [x] two",
      "",
      "## Milestone: C",
      "",
      "- [ ] three",
      "",
    ].join("\n"),
  );
});
