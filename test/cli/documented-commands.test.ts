import { expect, test } from "vitest";
import { commandsOf, DOCUMENTS, shellLinesOf } from "../rig/documented-commands.ts";
import * as elsewhere from "./documented-elsewhere.ts";
import * as examples from "./documented-examples.ts";

test("every command in the documents is run by document-examples.long.test.ts or listed with a reason why not", () => {
  const shown = DOCUMENTS.flatMap((path) => [...commandsOf(path), ...shellLinesOf(path)]);
  const { NOT_RUN, PLAYED, FOLLOWED_FILE, ...stages } = examples;
  const texts = [...Object.values(stages), ...Object.values(elsewhere)].flatMap((stage) =>
    stage.map(({ text }) => text),
  );
  expect(NOT_RUN).toHaveLength(13);
  // The lists have no command that the documents no longer contain.
  const known = [...texts, ...NOT_RUN.map(([text]) => text)];
  expect(known.filter((text) => !shown.includes(text))).toEqual([]);
  const readAtHome = ["logs/README.md", "docs/PROTOCOL.md"].flatMap(shellLinesOf);
  const all = [...known, ...readAtHome, ...PLAYED, FOLLOWED_FILE];
  // A mere name of a command is covered by an example of that command.
  const isShown = (one: string) => all.some((text) => text === one || text.startsWith(`${one} `));
  expect(shown.filter((one) => !isShown(one))).toEqual([]);
});
