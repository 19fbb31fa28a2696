import fc from "fast-check";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { compileRequest, type CompiledRequest } from "../../src/session/rules/compile-request.ts";
import { parseTasks, type Milestone } from "../../src/fs-protocol/tasks/tasks-md.ts";

/*
 * Requests in other forms than wisp's own, generated from a model of their content: the plan contains that
 * content and nothing else, each text once and in order, and is itself a request for the same plan.
 */

const RUNS = { numRuns: 25 } as const;

function compiled(text: string): CompiledRequest {
  const result = compileRequest(text);
  expect(result).toMatchObject({ ok: true });
  return present(result.ok ? result.value : undefined, `the request is a plan:\n${text}`);
}

function milestonesOf({ text }: CompiledRequest): readonly Milestone[] {
  const parsed = parseTasks(text);
  expect(parsed).toMatchObject({ ok: true });
  return parsed.ok ? parsed.value.milestones : [];
}

/** The name, and each task with its steps and its tick. */
type Said = readonly (readonly [
  name: string,
  tasks: readonly (readonly [text: string, steps: readonly string[], ticked: boolean])[],
])[];

function contentOf(request: CompiledRequest): Said {
  return milestonesOf(request).map(({ name, tasks }) => [
    name,
    tasks.map(({ text, steps, ticked }) => [text, steps, ticked]),
  ]);
}

/** The plan is a request for the same plan, byte for byte. */
function expectOwnRequest(request: CompiledRequest): void {
  const again = compiled(request.text);
  expect(again.text).toBe(request.text);
  expect(again.plan).toEqual(request.plan);
}

/** Texts as people write them; a number at the end makes each text of a document unique. */
const phrase = fc.stringMatching(/^[A-Za-zÄéß][A-Za-z0-9 ,.()"'|:–é-]{0,24}[a-z]$/);
const unique = (texts: readonly string[]) =>
  texts.map((text, index) => `${text.replace(/\s+/g, " ")} n${String(index)}`);

interface Task {
  readonly text: string;
  readonly steps: readonly string[];
  readonly ticked: boolean;
}

interface Section {
  readonly title: string;
  readonly description: string | undefined;
  readonly tasks: readonly Task[];
}

/** The content of documents, with every text once; at least one task is not ticked. */
function model({ tasksMin }: { readonly tasksMin: number }): fc.Arbitrary<readonly Section[]> {
  const task = fc.record({
    text: phrase,
    steps: fc.array(phrase, { maxLength: 2 }),
    ticked: fc.boolean(),
  });
  const section = fc.record({
    title: phrase,
    // A first paragraph that begins with a word and a colon is labelled, and not a description.
    description: fc.option(
      phrase.map((text) => text.replaceAll(":", "")),
      { nil: undefined },
    ),
    tasks: fc.array(task, { minLength: tasksMin, maxLength: 3 }),
  });
  return fc
    .array(section, { minLength: 1, maxLength: 3 })
    .map(numbered)
    .filter((sections) =>
      sections.some(({ tasks }) => tasks.length === 0 || tasks.some(({ ticked }) => !ticked)),
    );
}

function numbered(sections: readonly Section[]): readonly Section[] {
  const texts = sections.flatMap(({ title, description = "", tasks }) => [
    title,
    description,
    ...tasks.flatMap(({ text, steps }) => [text, ...steps]),
  ]);
  const next = unique(texts)[Symbol.iterator]();
  const take = () => present(next.next().value, "there is a text for each");
  return sections.map(({ description, tasks }) => {
    const title = take();
    const about = take();
    return {
      title,
      description: description === undefined ? undefined : about,
      tasks: tasks.map(({ steps, ticked }) => ({ text: take(), steps: steps.map(take), ticked })),
    };
  });
}

const BOLD = ["", "id", "all"] as const;

/** How a document of stories is written. */
const storyStyle = fc.record({
  level: fc.integer({ min: 2, max: 4 }),
  separator: fc.constantFrom(": ", " - ", " – ", " — ", " : ", "— "),
  id: fc.constantFrom("US-00", "US-", "US", "US-1.", "us-2-", "US-0"),
  suffix: fc.constantFrom("", "a"),
  bold: fc.constantFrom(...BOLD),
  label: fc.constantFrom(
    "**Acceptance Criteria:**",
    "Acceptance criteria:",
    "**Acceptance criteria (must):**",
    "**Acceptance Criteria**",
    "",
  ),
  marker: fc.constantFrom("-", "*", "+"),
  about: fc.constantFrom("**Description:** ", ""),
  epics: fc.boolean(),
  end: fc.constantFrom("\n", "\r\n"),
});
type StoryStyle = typeof storyStyle extends fc.Arbitrary<infer Style> ? Style : never;

const idOf = ({ id, suffix }: StoryStyle, index: number) => `${id}${String(index + 1)}${suffix}`;

function writeStories(stories: readonly Section[], style: StoryStyle): string {
  const { level, separator, bold, epics, end } = style;
  const lines = stories.flatMap((story, index) => {
    const id = idOf(style, index);
    const named = {
      "": `${id}${separator}${story.title}`,
      id: `**${id}**${separator}${story.title}`,
      all: `**${id}${separator}${story.title}**`,
    };
    const heading = `${"#".repeat(level)} ${named[bold]}`;
    const epic = epics ? [`${"#".repeat(level - 1)} Epic`, "", "Not in the plan.", ""] : [];
    return [...epic, heading, "", ...writeStory(story, style), ""];
  });
  return ["# The product", "", "- a plain bullet", "", ...lines].join(end);
}

function writeStory({ description, tasks }: Section, style: StoryStyle): readonly string[] {
  const { label, marker, about } = style;
  const described = description === undefined ? [] : [`${about}${description}`, ""];
  const labelled = label === "" || tasks.length === 0 ? [] : [label, ""];
  const items = tasks.flatMap(({ text, steps, ticked }) => [
    `${marker} [${ticked ? "x" : " "}] ${text}`,
    ...steps.map((step) => `  ${marker} ${step}`),
  ]);
  return [...described, ...labelled, ...items];
}

function toldOf(tasks: readonly Task[]): Said[number][1] {
  return tasks.map(({ text, steps, ticked }) => [text, steps, ticked]);
}

test("stories of any level, separator, id and label become the plan, each criterion once and in order", () => {
  fc.assert(
    fc.property(model({ tasksMin: 1 }), storyStyle, (stories, style) => {
      const request = compiled(writeStories(stories, style));
      const expected = stories.map(({ title, tasks }, index) => {
        return [`${idOf(style, index)}: ${title}`, toldOf(tasks)] as const;
      });
      expect(request.form).toBe("stories");
      expect(contentOf(request)).toEqual(expected);
      expect(request).toMatchObject({ bare: [], loose: [] });
      const quoted = request.text.split("\n").filter((line) => line.startsWith("> "));
      expect(quoted).toEqual(
        stories.flatMap(({ description: about }) => (about === undefined ? [] : [`> ${about}`])),
      );
      expectOwnRequest(request);
    }),
    RUNS,
  );
});

test("a story without criteria becomes one task with its list items as steps, and is reported", () => {
  const bullets = fc.array(phrase, { maxLength: 3 });
  fc.assert(
    fc.property(model({ tasksMin: 0 }), storyStyle, bullets, (stories, style, listed) => {
      const steps = unique(listed).map((text) => `listed ${text}`);
      const text = stories
        .map((story, index) => {
          const items = story.tasks.length > 0 ? [] : steps.map((step) => `- ${step}`);
          const bare = { ...style, epics: false };
          return [
            `### ${idOf(style, index)}: ${story.title}`,
            "",
            ...writeStory(story, bare),
            "",
            ...items,
          ].join("\n");
        })
        .join("\n\n");
      const request = compiled(text);
      const names = stories.map(({ title }, index) => `${idOf(style, index)}: ${title}`);
      expect(request.bare).toEqual(names.filter((_, index) => stories[index]?.tasks.length === 0));
      expect(contentOf(request)).toEqual(
        stories.map(({ title, tasks }, index) => [
          names[index],
          tasks.length === 0 ? [[title, steps, false]] : toldOf(tasks),
        ]),
      );
      expectOwnRequest(request);
    }),
    RUNS,
  );
});

test("stories in JSON become the same plan as in Markdown", () => {
  fc.assert(
    fc.property(model({ tasksMin: 0 }), storyStyle, fc.boolean(), (stories, style, isFenced) => {
      const flat = stories.map((story) => {
        const ticked = story.tasks.every((task) => task.ticked) && story.tasks.length > 0;
        return { ...story, tasks: story.tasks.map(({ text }) => ({ text, steps: [], ticked })) };
      });
      if (flat.every(({ tasks }) => tasks.length > 0 && tasks[0]?.ticked)) return;
      const userStories = flat.map(({ title, description, tasks }, index) => ({
        ...{ id: idOf(style, index), title, description, notes: "" },
        acceptanceCriteria: tasks.map(({ text }) => text),
        passes: tasks[0]?.ticked ?? false,
        priority: index + 1,
      }));
      const json = JSON.stringify({ project: "Not in the plan", userStories }, undefined, 2);
      const request = compiled(isFenced ? `\`\`\`json\n${json}\n\`\`\`\n` : json);
      expect(request.form).toBe("stories");
      expect(request.text).toBe(compiled(writeStories(flat, style)).text);
      expectOwnRequest(request);
    }),
    RUNS,
  );
});

test("orders stories in JSON by priority if each has one", () => {
  const story = (title: string, priority?: number | string) => ({
    ...{ title, priority },
    acceptanceCriteria: [`${title} works`],
  });
  const names = (...userStories: readonly object[]) =>
    contentOf(compiled(JSON.stringify({ userStories }))).map(([name]) => name);
  expect(names(story("B", 2), story("A", 1), story("C", 2))).toEqual(["A", "B", "C"]);
  expect(names(story("B", 2), story("A"), story("C", 1))).toEqual(["B", "A", "C"]);
  expect(names(story("B", 2), story("A", "HIGH"), story("C", 1))).toEqual(["B", "A", "C"]);
});

test("milestones of any level, number and separator become the plan in one form", () => {
  const style = fc.record({
    level: fc.integer({ min: 1, max: 6 }),
    number: fc.constantFrom("", " 1", " 02", " 2b-ii", " #3", " 1.4", " A", " IV"),
    separator: fc.constantFrom(": ", " : ", " - ", " – ", " — "),
    word: fc.constantFrom("Milestone", "milestone", "MILESTONE", "**Milestone"),
  });
  fc.assert(
    fc.property(model({ tasksMin: 1 }), style, fc.boolean(), (sections, written, hasNotes) => {
      const { level, number, separator, word } = written;
      const close = word.startsWith("**") ? "**" : "";
      const notes = hasNotes ? ["", "Some words about it."] : [];
      const text = sections
        .flatMap(({ title, tasks }) => {
          const heading = `${"#".repeat(level)} ${word}${number}${separator}${title}${close}`;
          return [
            heading,
            ...notes,
            "",
            ...writeStory({ title, description: undefined, tasks }, STYLE),
            "",
          ];
        })
        .join("\n");
      const request = compiled(text);
      expect(request.form).toBe("tasks");
      expect(contentOf(request)).toEqual(
        sections.map(({ title, tasks }) => [title, toldOf(tasks)]),
      );
      const headings = text.split("\n").map((line) => {
        const title = /^#+ .*( n\d+)\**$/.exec(line)?.[1];
        const section = sections.find((one) => title !== undefined && one.title.endsWith(title));
        return section === undefined ? line : `## Milestone: ${section.title}`;
      });
      expect(request.text).toBe(headings.join("\n"));
      expectOwnRequest(request);
    }),
    RUNS,
  );
});

const STYLE: StoryStyle = {
  ...{ level: 3, separator: ": ", id: "US-", suffix: "", bold: "", label: "", marker: "-" },
  ...{ about: "", epics: false, end: "\n" },
};

test("a JSON list becomes a plan with each text once, whatever its keys and categories", () => {
  const style = fc.record({
    criteria: fc.constantFrom("steps", "acceptanceCriteria", "acceptance_criteria"),
    hasTitle: fc.boolean(),
    category: fc.constantFrom("feature", "functional", "CLI Enhancement", "Setup", null, undefined),
    isFenced: fc.boolean(),
  });
  fc.assert(
    fc.property(model({ tasksMin: 1 }), style, (sections, written) => {
      const { criteria, hasTitle, category, isFenced } = written;
      const items = sections.flatMap(({ title, tasks }) =>
        tasks.map(({ text, steps, ticked }) => ({
          ...{ id: 7, category, passes: ticked, milestone: title, [criteria]: steps },
          ...(hasTitle ? { title: text, description: `about ${text}` } : { description: text }),
        })),
      );
      const json = JSON.stringify(items);
      const request = compiled(isFenced ? `~~~\n${json}\n~~~` : json);
      const mark = (category ?? "") === "" ? "" : `[${String(category)}] `;
      expect(request.form).toBe("list");
      expect(contentOf(request)).toEqual(
        sections.map(({ title, tasks }) => [
          title,
          tasks.map(({ text, steps, ticked }) => [
            mark + text,
            [...(hasTitle ? [`about ${text}`] : []), ...steps],
            ticked,
          ]),
        ]),
      );
      expectOwnRequest(request);
    }),
    RUNS,
  );
});

test("a document of only boxes below headings is a plan, and with anything else it is prose", () => {
  const other = fc.constantFrom(
    "A paragraph.",
    "- a plain bullet",
    "1. a step",
    "> a quotation",
    "    code",
  );
  fc.assert(
    fc.property(
      model({ tasksMin: 1 }),
      other,
      fc.integer({ min: 2, max: 4 }),
      (sections, more, level) => {
        const parts = sections.map(({ title, tasks }) =>
          [
            `${"#".repeat(level)} ${title}`,
            "",
            ...writeStory({ title, description: undefined, tasks }, STYLE),
            "",
          ].join("\n"),
        );
        const text = ["# The change\n", ...parts].join("\n");
        const request = compiled(text);
        expect(request.form).toBe("checklist");
        expect(contentOf(request)).toEqual(
          sections.map(({ title, tasks }) => [title, toldOf(tasks)]),
        );
        expectOwnRequest(request);
        expect(compileRequest(`${text}\n## More\n\n${more}\n`)).toEqual({
          ok: true,
          value: undefined,
        });
      },
    ),
    RUNS,
  );
});
