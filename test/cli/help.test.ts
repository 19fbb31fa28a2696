import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { EXIT } from "../../src/base/exit-code.ts";
import { configJsonSchema } from "../../src/settings/config/load-config.ts";
import { CODING_CLIS } from "../../src/engines/coding-clis.ts";
import { EXAMPLES, TOPIC_NAMES } from "../../src/cli/help.ts";
import { HELP_GROUPS } from "../../src/cli/help/help-groups.ts";
import { HELP_TOPICS } from "../../src/cli/help/help-topics.ts";
import { createProgram } from "../../src/cli/program.ts";
import { runsHere } from "../rig/runs-here.ts";
import { repositoryRoot, textOf } from "../tidy/repository.ts";
import { manPage } from "./man-page.ts";

const program = createProgram({ words: [], version: "0", run: () => Promise.resolve() });

/** What the help of the program lists, by heading. */
function listed(): readonly (readonly [string, readonly string[]])[] {
  const sections = program.helpInformation().split("\n\n");
  return sections.flatMap((section) => {
    const [heading = "", ...lines] = section.split("\n");
    const names = lines.flatMap((line) => /^ {2}([a-z]+) /u.exec(line)?.[1] ?? []);
    return names.length === 0 ? [] : [[heading, names] as const];
  });
}

test("the help lists every command once, grouped by what one wants to do", () => {
  expect(listed()).toEqual(HELP_GROUPS.map(({ heading, names }) => [heading, names]));
  const shown = program.commands.filter((command) => !("_hidden" in command && command._hidden));
  const names = HELP_GROUPS.flatMap((group) => group.names);
  expect(shown.map((command) => command.name()).sort()).toEqual([...names].sort());
});

test("each topic is named by the help, and is short", () => {
  expect(Object.keys(HELP_TOPICS)).toEqual(TOPIC_NAMES);
  for (const [name, { summary, text }] of Object.entries(HELP_TOPICS)) {
    expect(EXAMPLES.wisp).toContain(name);
    expect(EXAMPLES.help).toContain(`wisp help ${name}`);
    expect(EXAMPLES.help).toContain(summary);
    const lines = text().split("\n");
    expect(lines.length).toBeLessThan(60);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  }
});

const textOfTopic = (name: string) => HELP_TOPICS[name]?.text() ?? "";

test("topics name all exit codes, engines and settings that there are", () => {
  const codes = textOfTopic("exit-codes").split("\n");
  expect(codes.map((line) => Number.parseInt(line, 10)).sort()).toEqual(
    [...new Set(Object.values(EXIT))].sort(),
  );
  for (const { name, install } of CODING_CLIS) {
    expect(textOfTopic("engines")).toContain(`\n  ${name.padEnd(10)} ${install}\n`);
  }
  const properties = Object.entries(configJsonSchema().properties ?? {});
  // Some are a person's own, and not allowed in a repository's.
  const isAllowed = (schema: unknown) =>
    typeof schema === "object" && schema !== null && !("not" in schema);
  const keys = properties.filter(([, schema]) => isAllowed(schema)).map(([key]) => key);
  const named = [...textOfTopic("config").matchAll(/^ {2}(\w+) /gmu)].map(([, key]) => key);
  expect(named).toEqual(keys);
});

test("the topic environment names the variables that the documents name", () => {
  const documents = ["ENGINES", "SESSIONS", "SETTINGS"].map((name) => textOf(`docs/${name}.md`));
  const variables = new Set(
    [...documents.join("").matchAll(/`(WISP_[A-Z_]+)`/gu)].map(([, name]) => name),
  );
  expect(variables.size).toBeGreaterThan(10);
  for (const name of variables) expect(textOfTopic("environment")).toContain(name);
});

const MAN = "man/wisp.1";

test("the package has the manual page of the commands as they are (npx vitest -u writes it)", async () => {
  await expect(manPage(packageJson.version)).toMatchFileSnapshot(join(repositoryRoot, MAN));
  expect(packageJson.man).toBe(`./${MAN}`);
});

const hasGroff = runsHere(["groff", "--version"]);

test.skipIf(!hasGroff)("groff formats the manual page without a warning", () => {
  const argv = ["-man", "-ww", "-Tutf8", "-P-cbou", join(repositoryRoot, MAN)];
  const { status, stdout, stderr } = spawnSync("groff", argv, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  for (const { names } of HELP_GROUPS)
    for (const name of names) expect(stdout).toContain(`wisp ${name}`);
  expect(stdout).toContain("no such session");
});
