import { expect, test } from "vitest";
import { configJsonSchema } from "../../src/settings/config/load-config.ts";

interface Node {
  readonly description?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
}

/** Paths of all keys that have no description. */
function undescribed(node: Node, path: string): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
    ...(typeof child.description === "string" ? [] : [`${path}${key}`]),
    ...undescribed(child, `${path}${key}.`),
  ]);
}

function schemaText(): string {
  return JSON.stringify(configJsonSchema());
}

test("the published schema describes every key", () => {
  const schema: unknown = JSON.parse(schemaText());
  expect(undescribed(asNode(schema), "")).toEqual([]);
});

function asNode(value: unknown): Node {
  return typeof value === "object" && value !== null ? value : {};
}

test("the published schema refuses unknown keys and states defaults as they are written", () => {
  expect(configJsonSchema()).toMatchObject({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    additionalProperties: false,
    properties: {
      verifyTimeout: { default: "10m" },
      replan: { default: "changed", enum: ["changed", "always", "never"] },
      drain: { additionalProperties: false, properties: { reviewer: { default: "2m" } } },
    },
  });
  expect(configJsonSchema()).not.toHaveProperty("required");
});
