import fc from "fast-check";
import { expect, test } from "vitest";
import { compileRequest, type CompiledRequest } from "../../src/session/rules/compile-request.ts";
import { looseBoxes } from "../../src/fs-protocol/request/loose-boxes.ts";
import { parseTasks } from "../../src/fs-protocol/tasks/tasks-md.ts";
import { ALL_FORMS, MARKDOWN_FORMS, SAID, type ExpectedMilestone } from "./format-documents.ts";

/*
 * No form loses anything: whatever a document says is in the plan, once and in order, and what is not in the plan is
 * reported.
 */

function compiled(text: string): CompiledRequest | undefined {
  const result = compileRequest(text);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.value : undefined;
}

/** A plan as its readers see it, with the lines that are quoted in each milestone. */
function planOf({ text }: CompiledRequest): readonly ExpectedMilestone[] {
  const parsed = parseTasks(text);
  expect(parsed).toMatchObject({ ok: true });
  const quoted = text.split(/^## Milestone: .*$/m).slice(1);
  const milestones = parsed.ok ? parsed.value.milestones : [];
  return milestones.map(({ name, tasks }, index) => ({
    name,
    about: [...(quoted[index] ?? "").matchAll(/^> (.+)$/gm)].map(([, line = ""]) => line),
    tasks: tasks.map(({ text: task, steps, ticked }) => ({ text: task, steps, ticked })),
  }));
}

test.each(ALL_FORMS)(
  "what a document in the form $form says is in its plan, once and in order: ids, titles, ticks, details",
  ({ form, write, expected }) => {
    fc.assert(
      fc.property(SAID, fc.boolean(), fc.boolean(), (said, isWindows, hasMark) => {
        const expectedPlan = expected(said);
        fc.pre(expectedPlan.some(({ tasks }) => tasks.some(({ ticked }) => !ticked)));
        const text = write(said).replaceAll("\n", isWindows ? "\r\n" : "\n");
        const request = compiled(hasMark ? `\uFEFF${text}` : text);
        expect(request?.form).toBe(form);
        expect(request && planOf(request)).toEqual(expectedPlan);
        expect(request?.loose).toEqual([]);
      }),
      { numRuns: 60 },
    );
  },
);

/** Something that happens to a document while people edit it. */
const DAMAGE = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    how: fc.constantFrom(
      ...[
        "cut",
        "```\n",
        "~~~\n- [ ] T900 in code\n~~~\n",
        "<!-- - [ ] 9.9 hidden -->\n",
        "<!--\n",
        "> ",
      ],
      ...[
        "\t",
        "        ",
        "- [ ] a stray box\n",
        "- plain\n",
        "# A heading\n",
        "\r",
        "\u0000",
        "- [x](link) text\n",
      ],
      `- [ ] ${"long ".repeat(600)}\n`,
    ),
  }),
  { maxLength: 4 },
);

function damaged(text: string, damage: readonly { readonly at: number; readonly how: string }[]) {
  let now = text;
  for (const { at, how } of damage) {
    const lines = now.split("\n");
    const line = Math.floor(at * lines.length);
    if (how === "cut") now = now.slice(0, Math.floor(at * now.length));
    else
      now = [...lines.slice(0, line), `${how}${lines[line] ?? ""}`, ...lines.slice(line + 1)].join(
        "\n",
      );
  }
  return now;
}

test.each(MARKDOWN_FORMS)(
  "however a document in the form $form was damaged, each of its boxes is in the plan or reported, or it is prose",
  ({ write }) => {
    fc.assert(
      fc.property(SAID, DAMAGE, (said, damage) => {
        const text = damaged(write(said), damage);
        const result = compileRequest(text);
        if (!result.ok || result.value === undefined) return;
        const { text: plan, loose } = result.value;
        const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
        for (const line of looseBoxes(text, []).filter((at) => !loose.includes(at))) {
          const written = (lines[line - 1] ?? "").replace(/^.*?\[.\]\s*/, "");
          // The beginning is enough: the rest may continue in a step.
          expect(folded(plan)).toContain(folded(written).slice(0, 40));
        }
      }),
      { numRuns: 60 },
    );
  },
);

function folded(text: string): string {
  return text.replace(/[\s\u0000]+/g, " ").trim();
}

test("prose with stray boxes is prose, wherever the boxes stand and whatever the headings are", () => {
  const heading = fc.constantFrom(
    "# RFC",
    "## Why",
    "## Phase one",
    "### Open questions",
    "## Story",
    "## Tasks",
  );
  const prose = fc.constantFrom(
    "We want T001 and 1.1, and US-001 if there is time.",
    "1. Read\n2. Write",
    "- one\n- two",
    "| a | b |\n| - | - |",
  );
  const boxes = fc.constantFrom(
    "- [ ] Is it fast?",
    "- [x] Agreed\n- [ ] Open",
    "1. [ ] Why?",
    "- item\n  - [ ] inside",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(heading, prose, fc.option(boxes, { nil: "" }))), (parts) => {
      const text = parts.map((part) => part.join("\n\n")).join("\n\n");
      expect(compileRequest(`${text}\n`)).toEqual({ ok: true, value: undefined });
    }),
  );
});
