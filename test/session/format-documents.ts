import fc from "fast-check";

/** What a document of any form says: milestones of tasks. */
export interface Said {
  readonly milestones: readonly SaidMilestone[];
}

export interface SaidMilestone {
  readonly name: string;
  readonly about: readonly string[];
  readonly tasks: readonly SaidTask[];
}

export interface SaidTask {
  readonly title: string;
  readonly steps: readonly string[];
  readonly ticked: boolean;
}

/** A plan as it is expected: names, quoted lines, and tasks with their ids. */
export interface ExpectedMilestone {
  readonly name: string;
  readonly about: readonly string[];
  readonly tasks: readonly {
    readonly text: string;
    readonly steps: readonly string[];
    readonly ticked: boolean;
  }[];
}

/** A form: how a tool writes something, and what is expected of it. */
export interface WrittenForm {
  readonly form: string;
  readonly write: (said: Said) => string;
  readonly expected: (said: Said) => readonly ExpectedMilestone[];
}

// No run of characters that is a fence, a comment or a separator by itself.
const WORD = fc.stringMatching(/^[a-zé\u4e00`*_()[\]<>|#&!"'~:;,./\\-]{0,5}[a-z0-9é\u4e00]$/u);
/** One line, which begins with a letter, so that it is neither a list nor a heading, and is clean. */
const LINE = fc
  .tuple(fc.constantFrom("Add", "Über", "Do", "表"), fc.array(WORD, { maxLength: 4 }))
  .map(([first, words]) => [first, ...words].join(" "));

const TASK: fc.Arbitrary<SaidTask> = fc.record({
  title: LINE,
  steps: fc.array(LINE, { maxLength: 3 }),
  ticked: fc.boolean(),
});

export const SAID: fc.Arbitrary<Said> = fc
  .array(
    fc.record({
      name: LINE,
      about: fc.array(LINE, { maxLength: 2 }),
      tasks: fc.array(TASK, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .filter((milestones) => milestones.some(({ tasks }) => tasks.some(({ ticked }) => !ticked)))
  .map((milestones) => ({ milestones }));

function box({ ticked }: Pick<SaidTask, "ticked">): string {
  return ticked ? "- [x]" : "- [ ]";
}

function numbered<T>(items: readonly T[], write: (item: T, number: string) => string): string {
  return items.map((item, index) => write(item, String(index + 1))).join("\n");
}

/** Headings with boxes below them. */
function headed(
  form: string,
  { heading, id }: { heading: (n: string) => string; id: (n: string, m: string) => string },
): WrittenForm {
  const prefix = /^#+ /;
  return {
    form,
    write: ({ milestones }) =>
      `# A title\n\n${numbered(milestones, ({ name, about, tasks }, n) => {
        const lines = numbered(tasks, (task, m) => {
          const steps = task.steps.map((step) => `\n  - ${step}`).join("");
          return `${box(task)} ${id(n, m)} ${task.title}${steps}`;
        });
        return `${heading(n)} ${name}\n\n${about.map((line) => `${line}\n\n`).join("")}${lines}\n`;
      })}`,
    expected: ({ milestones }) =>
      milestones.map(({ name, about, tasks }, n) => ({
        name: `${heading(String(n + 1)).replace(prefix, "")} ${name}`,
        about,
        tasks: tasks.map(({ title, steps, ticked }, m) => ({
          ...{ text: `${id(String(n + 1), String(m + 1))} ${title}`, steps, ticked },
        })),
      })),
  };
}

/** Boxes in boxes. */
function nested(
  form: string,
  {
    before,
    id,
    inner,
  }: { before: string; id: (n: string) => string; inner: (n: string, m: string) => string },
): WrittenForm {
  return {
    form,
    write: ({ milestones }) =>
      before +
      numbered(milestones, ({ name, about, tasks }, n) => {
        const details = about.map((line) => `  - ${line}\n`).join("");
        const lines = numbered(tasks, (task, m) => {
          const steps = task.steps.map((step) => `\n    - ${step}`).join("");
          return `  ${box(task)} ${inner(n, m)}${task.title}${steps}`;
        });
        return `- [ ] ${id(n)} ${name}\n${details}${lines}\n`;
      }),
    expected: ({ milestones }) =>
      milestones.map(({ name, about, tasks }, n) => ({
        name: `${id(String(n + 1))} ${name}`,
        about: about.map((line) => `- ${line}`),
        tasks: tasks.map(({ title, steps, ticked }, m) => ({
          ...{ text: `${inner(String(n + 1), String(m + 1))}${title}`, steps, ticked },
        })),
      })),
  };
}

const BMAD_HEAD = "# Story 1.1: A title\n\n## Acceptance Criteria\n\n## Tasks / Subtasks\n\n";

const TASKMASTER: WrittenForm = {
  form: "taskmaster",
  write: ({ milestones }) =>
    JSON.stringify({
      tasks: milestones.map(({ name, about, tasks }, n) => ({
        ...{ id: n + 1, title: name, description: about.join("\n"), status: "pending" },
        subtasks: tasks.map(({ title, steps, ticked }, m) => ({
          ...{ id: m + 1, title, details: steps.join("\n\n"), status: ticked ? "done" : "pending" },
        })),
      })),
    }),
  expected: ({ milestones }) =>
    milestones.map(({ name, about, tasks }, n) => ({
      name: `${String(n + 1)}: ${name}`,
      about,
      tasks: tasks.map(({ title, steps, ticked }, m) => ({
        ...{ text: `${String(n + 1)}.${String(m + 1)}: ${title}`, steps, ticked },
      })),
    })),
};

const PRD: WrittenForm = {
  form: "stories",
  write: ({ milestones }) =>
    JSON.stringify({
      userStories: milestones.map(({ name, about, tasks }, n) => ({
        ...{ id: `US-${String(n)}`, title: name, description: about.join(" "), notes: "" },
        acceptanceCriteria: tasks.map(({ title }) => title),
        passes: tasks.every(({ ticked }) => ticked),
      })),
    }),
  expected: ({ milestones }) =>
    milestones.map(({ name, about, tasks }, n) => ({
      name: `US-${String(n)}: ${name}`,
      about: about.length === 0 ? [] : [about.join(" ")],
      tasks: tasks.map(({ title }) => ({
        ...{ text: title, steps: [], ticked: tasks.every(({ ticked }) => ticked) },
      })),
    })),
};

export const MARKDOWN_FORMS: readonly WrittenForm[] = [
  headed("spec-kit", {
    heading: (n) => `## Phase ${n}:`,
    id: (n, m) => `T${n}0${m} [P] [US${n}]`,
  }),
  headed("openspec", { heading: (n) => `## ${n}.`, id: (n, m) => `${n}.${m}` }),
  headed("ralphex", { heading: (n) => `### Task ${n}:`, id: () => "add" }),
  nested("kiro", {
    before: "# Implementation Plan\n\n",
    id: (n) => `${n}.`,
    inner: (n, m) => `${n}.${m} `,
  }),
  nested("bmad", { before: BMAD_HEAD, id: (n) => `Task ${n}:`, inner: () => "" }),
];

export const ALL_FORMS: readonly WrittenForm[] = [...MARKDOWN_FORMS, TASKMASTER, PRD];
