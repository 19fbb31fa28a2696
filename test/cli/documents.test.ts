import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PURPOSES } from "../../src/engines/engine.ts";
import { loadConfig } from "../../src/settings/config/load-config.ts";
import { parseReviewer } from "../../src/settings/reviewers/parse-reviewer.ts";
import { loadUserSettings } from "../../src/settings/config/user-settings.ts";
import { allBlocks, documentOf } from "../rig/document.ts";
import { commandsOf, DOCUMENTS } from "../rig/documented-commands.ts";
import { WispRig } from "./wisp-rig.ts";

/*
 * Every example of README and docs is accepted by its reader: settings by the schemas of settings, reviewers by
 * theirs, commands by the real command line. (Examples of `docs/PROTOCOL.md` and `logs/README.md`: see
 * `protocol-document.test.ts` and `logs-readme.test.ts`.)
 */

const BLOCKS = DOCUMENTS.flatMap((path) =>
  allBlocks(documentOf(path)).map((block) => ({ path, ...block })),
);

const YAML = BLOCKS.filter(({ info }) => info === "yaml");

test("every example of settings in the documents is valid", () => {
  expect(YAML.length).toBeGreaterThan(10);
  const wrong = YAML.flatMap(({ path, content }) => {
    const isOfUser = content.includes("~/.config/wisp/config.yaml");
    const loaded = isOfUser ? loadUserSettings(content) : loadConfig(content);
    return loaded.ok ? [] : [[path, content, loaded.failure]];
  });
  expect(wrong).toEqual([]);
});

test("every example of a reviewer in the documents is valid", () => {
  const reviewers = BLOCKS.filter(({ info }) => info === "markdown");
  expect(reviewers).toHaveLength(2);
  for (const { content } of reviewers) {
    expect(parseReviewer("example", content)).toMatchObject({ ok: true });
  }
});

test("docs/ENGINES.md lists exactly the purposes that a command engine can be given", () => {
  const engines = documentOf("docs/ENGINES.md").replaceAll("\n", " ");
  const [, list = ""] = /`WISP_PURPOSE` is one of (.*?)\. Of your environment/u.exec(engines) ?? [];
  const named = [...list.replace(/\([^)]*\)/gu, "").matchAll(/`([a-z-]+)`/gu)].map(
    ([, name]) => name,
  );
  expect(named).toEqual([...PURPOSES]);
});

/** Values for the placeholders in the synopsis of a command. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/--template NAME/u, "--template minimal"],
  [/--by WHAT/u, "--by model"],
  [/--session S\b/u, "--session api"],
  [/<command>/u, "status"],
  [/<shell>/u, "bash"],
  [/\[role\]|<role>/gu, "builder"],
  [/…/gu, "x"],
  [/[[\]<>]/gu, " "],
];

function argvOf(text: string): readonly string[] {
  const plain = PLACEHOLDERS.reduce((line, [from, to]) => line.replace(from, to), text);
  // Without a comment and without the command after a pipe.
  const own = plain.replace(/\s#.*$/u, "").split("|")[0] ?? "";
  const words = [...own.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)];
  return words.slice(1).map(([, one, other, bare]) => one ?? other ?? bare ?? "");
}

/** Commands of the documents: lines of shell, rows of tables and words in the text. */
const COMMANDS = [...new Set(DOCUMENTS.flatMap(commandsOf))];

/** Commands that are not run here, and why. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^wisp demo\b/u, "it runs a whole session: demo.long.test.ts"],
  [
    /^wisp mcp/u,
    "it serves until its client leaves, or changes settings of clients: mcp-install.test.ts",
  ],
  [/^wisp engines --probe/u, "it asks real models: test:engines"],
  [/^wisp doctor/u, "it looks at the whole machine: doctor.test.ts"],
];

const RUN = COMMANDS.filter((command) => !ELSEWHERE.some(([pattern]) => pattern.test(command)));

let rig: WispRig;
let place = "";
beforeAll(async () => {
  rig = await WispRig.create();
  place = join(rig.root, "no-repository");
  mkdirSync(place);
});
afterAll(() => rig[Symbol.asyncDispose]());

test("the command line accepts every command in the documents", async () => {
  expect(RUN.length).toBeGreaterThan(40);
  const refused: string[] = [];
  for (const command of RUN) {
    const { stderr } = await rig.run(argvOf(command), {
      cwd: place,
      env: { WISP_NO_INPUT: "1" },
    });
    // A command that cannot run in this place is no mistake of the document, nor is one that is named without arguments.
    const refusal =
      /^error: (?!missing required argument|required option).*|.* takes one role .*|.* needs a role .*/mu.exec(
        stderr,
      )?.[0];
    if (refusal !== undefined) refused.push(`${command}: ${refusal}`);
  }
  expect(refused).toEqual([]);
});
