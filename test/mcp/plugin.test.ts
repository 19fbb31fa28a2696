import { expect, test } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { textOf } from "../tidy/repository.ts";

const PLUGIN = "plugins/wisp";
const SKILL = textOf(`${PLUGIN}/skills/wisp/SKILL.md`);

const Listed = z.looseObject({
  name: z.string(),
  plugins: z.array(z.looseObject({ name: z.string() })),
});
const Plugin = z.looseObject({ name: z.string(), version: z.string(), description: z.string() });

function read<T>(path: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(textOf(path)));
}

test("the plugin has the package's version and says the same to Claude Code and Codex", () => {
  const [claude, codex] = [".claude-plugin", ".codex-plugin"].map((folder) =>
    read(`${PLUGIN}/${folder}/plugin.json`, Plugin),
  );
  expect(codex).toMatchObject({ ...claude });
  expect(claude).toMatchObject({ name: "wisp", version: packageJson.version });
  for (const path of [".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"]) {
    const { name, plugins } = read(path, Listed);
    expect({ name, plugins: plugins.map((one) => one.name) }).toEqual({
      name: packageJson.name,
      plugins: ["wisp"],
    });
  }
});

/** The tools that the server has. */
const TOOLS = [...textOf("src/mcp/tools.ts").matchAll(/registerTool\(\s*"(\w+)"/gu)].map(
  ([, name]) => name,
);

test("the skill names no tool that the server does not have, and the fewest that decide", () => {
  const named = [...SKILL.matchAll(/`([a-z]+_[a-z]+)`/gu)].map(([, name]) => name);
  expect(new Set(named)).toEqual(
    new Set([
      ...["start_session", "work_status", "list_findings", "review_changes", "answer_question"],
      ...["approve_changes", "reject_changes", "abandon_revision", "request_revision"],
    ]),
  );
  expect(TOOLS).toEqual(expect.arrayContaining([...new Set(named)]));
});

/** What both programs take of a skill before it is used. */
const DESCRIPTION_CHARS_MAX = 1_024;

test("the skill has a name and a description of the length that agents read, and leaves decisions to the person", () => {
  const [, name, description = ""] =
    /^---\nname: (.*)\ndescription: (.*)\n---\n/u.exec(SKILL) ?? [];
  expect(name).toBe("wisp");
  expect(description).toContain("Use it when");
  expect(description).toContain("Not for");
  expect(description.length).toBeLessThanOrEqual(DESCRIPTION_CHARS_MAX);
  expect(SKILL).toContain("Do not answer in their place");
  expect(SKILL).toContain("Never approve a plan");
});
