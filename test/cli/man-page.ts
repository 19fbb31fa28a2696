import type { Command } from "commander";
import { createProgram } from "../../src/cli/program.ts";
import { HELP_GROUPS } from "../../src/cli/help/help-groups.ts";
import { HELP_TOPICS } from "../../src/cli/help/help-topics.ts";

/**
 * The manual page `wisp(1)` as roff, from what the program itself knows: its commands with their options and
 * examples, and the topics of `wisp help`.
 */
export function manPage(version: string): string {
  const run = () => Promise.resolve();
  const program = createProgram({ words: [], version, run });
  const commands = HELP_GROUPS.flatMap(({ heading, names }) => [
    `.SS ${quoted(heading.replace(/:$/u, ""))}`,
    ...names.flatMap((name) => commandLines(commandOf(program, name), "wisp")),
  ]);
  const topics = Object.entries(HELP_TOPICS).flatMap(([name, { text }]) => [
    `.SH ${quoted(name.replace("-", " ").toUpperCase())}`,
    ...verbatim(text()),
  ]);
  return `${[
    `.TH WISP 1 "" ${quoted(`wisp ${version}`)} "User Commands"`,
    ".SH NAME",
    "wisp \\- turn a written request into a reviewed, tested branch",
    ".SH SYNOPSIS",
    ".B wisp",
    ".RI [ options ]",
    ".I command",
    ".RI [ arguments ]",
    ".SH DESCRIPTION",
    roff(program.description()),
    "It uses the coding agents that are installed. Four roles work as independent processes and",
    "communicate only through append\\-only files.",
    ".SH OPTIONS",
    ...optionLines(program),
    ".SH COMMANDS",
    ...commands,
    ...topics,
  ].join("\n")}\n`;
}

function commandOf(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found === undefined) throw new Error(`there is no command ${name}`);
  return found;
}

function commandLines(command: Command, before: string): readonly string[] {
  const name = `${before} ${command.name()}`;
  const taken = command.usage().replace("[options]", "").replace("[command]", "").trim();
  return [
    ".TP",
    `\\fB${roff(name)}\\fR${taken === "" ? "" : ` ${roff(taken)}`}`,
    roff(command.description()),
    ".RS",
    ...optionLines(command),
    ".RE",
    ...command.commands.flatMap((below) => commandLines(below, name)),
  ];
}

function optionLines({ options }: Command): readonly string[] {
  return options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ flags, description }) => [".TP", `\\fB${roff(flags)}\\fR`, roff(description)]);
}

/** Lines that are printed as they are. */
function verbatim(text: string): readonly string[] {
  return [".nf", ...text.split("\n").map(roff), ".fi"];
}

function quoted(text: string): string {
  return `"${roff(text).replaceAll('"', "\\(dq")}"`;
}

/** Text in which nothing is a request or an escape, and every character is ASCII. */
function roff(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/[^\n\u0020-\u007e]/gu, (character) => `\\[u${hexOf(character)}]`);
  return escaped.replaceAll(/^(?=[.'])/gmu, "\\&");
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}
