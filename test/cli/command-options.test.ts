import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { documentOf } from "../rig/document.ts";

/*
 * Options that all commands accept, except those that are listed here with a reason.
 */

interface Named {
  readonly name: string;
  readonly command: Command;
}

const program = createProgram({ words: [], version: "0.0.0", run: () => Promise.resolve() });

function commandsBelow(parent: Command, before = ""): readonly Named[] {
  return parent.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    return [{ name, command }, ...commandsBelow(command, `${name} `)];
  });
}

const COMMANDS = commandsBelow(program);
const without = (flag: string) =>
  COMMANDS.filter(({ command }) => command.options.every(({ long }) => long !== flag)).map(
    ({ name }) => name,
  );

/** Processes that wisp starts itself. */
const OWN = [
  ...["supervise", "replay-turn", "look-for-secrets", "hold-container", "acp-turn", "complete"],
  ...[
    "far",
    "far take",
    "far fit",
    "far keep",
    "far mirror",
    "far close",
    "far take-commits",
    "mirror",
  ],
  ...["far give", "far grant", "far handover", "queue"],
];

/** These change nothing, or docs/COMMANDS.md names them as exceptions. */
const NO_DRY_RUN: readonly (readonly [name: string, why: string])[] = [
  ["demo", "it works in a folder of its own: named by docs/COMMANDS.md"],
  ["agent", "it is a role, with all that a role does: named by docs/COMMANDS.md"],
  ["status", "it looks"],
  ["list", "it looks"],
  ["cost", "it looks"],
  ["report", "it looks; --html writes the file that is named"],
  ["watch", "it looks"],
  ["log", "it looks"],
  ["logs", "it looks"],
  ["tail", "it looks"],
  ["why", "it looks"],
  ["engines", "it looks"],
  ["doctor", "it looks"],
  ["findings", "it looks"],
  ["findings show", "it looks"],
  ["mcp", "it serves; its tools say what they do"],
  ["completion", "it tells"],
  ["help", "it tells"],
];

/** The output of these is not one object. */
const NO_JSON: readonly (readonly [name: string, why: string])[] = [
  ["edit", "it opens an editor: tasks --adopt is for programs"],
  ["demo", "it is a show"],
  ["logs", "it prints lines as they stand in the files, and goes on with what comes"],
  ["tail", "it prints what an engine says, and goes on with what comes"],
  ["watch", "it serves a page to a person"],
  ["attach", "it needs a person at a terminal"],
  ["agent", "it is a role, which tells its log"],
  ["mcp", "its standard output is the protocol's"],
  ["mcp install", "it prints settings of clients, some of which are JSON"],
  ["completion", "it prints a script"],
  ["help", "it tells"],
];

const namesOf = (all: readonly (readonly [string, string])[]) => all.map(([name]) => name);

test("every command that changes something accepts --dry-run, except those that docs/COMMANDS.md names", () => {
  expect(without("--dry-run").sort()).toEqual([...namesOf(NO_DRY_RUN), ...OWN].sort());
  const commands = documentOf("docs/COMMANDS.md").replaceAll(/\s+/gu, " ");
  expect(commands).toContain(
    "Every command that changes something accepts `--dry-run`, except `wisp demo` and `wisp agent`",
  );
});

test("every command accepts --json, except those whose output is not one object", () => {
  expect(without("--json").sort()).toEqual([...namesOf(NO_JSON), ...OWN].sort());
});

/** These tell of all commands. */
const ABOUT_ALL = ["help", "complete"];

/*
 * A line that begins with the name of a command sees the same command, though not all others are added for it.
 */
test.each(
  program.commands.map((command) => command.name()).filter((name) => !ABOUT_ALL.includes(name)),
)("`wisp %s` is added with few others, and is the same command", (name) => {
  const few = createProgram({ words: [name], version: "0.0.0", run: () => Promise.resolve() });
  const helpOf = (one: Command) =>
    one.commands.find((command) => command.name() === name)?.helpInformation();
  expect(helpOf(few)).toBe(helpOf(program));
  expect(few.commands.length).toBeLessThan(program.commands.length / 2);
});
