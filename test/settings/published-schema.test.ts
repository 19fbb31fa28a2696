import { Ajv } from "ajv";
import fc from "fast-check";
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { INIT_TEMPLATES } from "../../src/base/choices.ts";
import { configJsonSchema, loadConfig } from "../../src/settings/config/load-config.ts";
import { allBlocks, documentOf } from "../rig/document.ts";
import { DOCUMENTS } from "../rig/documented-commands.ts";
import { repositoryRoot, textOf } from "../tidy/repository.ts";

const PUBLISHED = "schemas/config.schema.json";

test("the package has the schema of the settings as they are (npx vitest -u writes it)", async () => {
  const text = await format(JSON.stringify(configJsonSchema()), {
    parser: "json",
    printWidth: 100,
  });
  await expect(text).toMatchFileSnapshot(join(repositoryRoot, PUBLISHED));
});

/** The schema in a validator of its own, which knows nothing of zod. */
const accepts = new Ajv({ strictTuples: false }).compile(configJsonSchema());

const EXAMPLES = DOCUMENTS.flatMap((path) => allBlocks(documentOf(path)))
  .filter(({ info }) => info === "yaml")
  .map(({ content }) => content)
  .filter((content) => !content.includes("~/.config/wisp/config.yaml"));
const INIT = INIT_TEMPLATES.map((name) => textOf(`templates/init/${name}.yaml`));

test("the published schema accepts every example of settings in the documents", () => {
  expect(EXAMPLES.length).toBeGreaterThan(5);
  for (const text of [...EXAMPLES, ...INIT]) {
    expect({ text, isAccepted: accepts(parse(text)) }).toEqual({ text, isAccepted: true });
  }
});

/** What may stand anywhere in settings: what somewhere is right, and what is nearly so. */
const SCALARS: readonly unknown[] = [
  ...[true, false, null, 0, 1, 3, 50, 100, 101, 2.5, -1, 1_000_000, 604_800_000, 604_800_001],
  ...["", "auto", "claude", "always", "blocking", "boundary", "origin", "-x", "bubblewrap", "a\0b"],
  ...["10m", "0m", "168h", "169h", "10080m", "10081m", "604800s", "604801s", "1d", "604800001ms"],
  ...["2M", "500k", "0k", "0.0009k", "0.001k", "1000000M", "1000000.1M", "0.0M", "1.5", "1e3"],
  ...["test/**", "!x", "../x", "~/x", "/etc/x", "a\\b", "API_*", "9A", "*.example.com", "a b"],
  ...["x".repeat(300), "x".repeat(301), "x".repeat(1001), "😀".repeat(600)],
];

const scalar = fc.constantFrom(...SCALARS);
const list = fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { maxLength: 4 });

/** Values for a node of the schema: mostly of its shape, sometimes not at all. */
function written(schema: unknown): fc.Arbitrary<unknown> {
  const node = Node.parse(schema);
  const children = Object.entries(node.properties);
  const keys = Object.fromEntries(children.map(([key, child]) => [key, written(child)]));
  const shapes = [
    ...(children.length > 0 ? [fc.record(keys, { requiredKeys: [] })] : []),
    ...node.anyOf.map(written),
    ...[...node.enum, ...(node.default === undefined ? [] : [node.default])].map(fc.constant),
    ...(node.items === undefined ? [] : [fc.array(written(node.items), { maxLength: 3 })]),
    ...(node.additionalItems === undefined
      ? []
      : [fc.array(written(node.additionalItems), { minLength: 1, maxLength: 3 })]),
    ...(node.type === "string" ? [fc.constantFrom("a", "b.c", "D", "main")] : []),
    ...(node.type === "integer" ? [fc.integer({ min: 0, max: 11 })] : []),
  ];
  const others = [scalar, list, odd].map((arbitrary) => ({ arbitrary, weight: 1 }));
  return fc.oneof(...shapes.map((arbitrary) => ({ arbitrary, weight: 20 })), ...others);
}

/** What of a schema says which values it is about. */
const Node = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  anyOf: z.array(z.unknown()).default([]),
  enum: z.array(z.unknown()).default([]),
  default: z.unknown().optional(),
  items: z.record(z.string(), z.unknown()).optional().catch(undefined),
  /** Of an argv, the words after the first. */
  additionalItems: z.record(z.string(), z.unknown()).optional(),
  type: z.string().optional(),
});

const odd = fc.dictionary(
  fc.constantFrom("command", "acp", "mode", "env", "roles", "notes"),
  list,
  {
    maxKeys: 2,
  },
);

test("the published schema accepts exactly the settings that wisp accepts", () => {
  const { properties } = configJsonSchema();
  const counts = { accepted: 0, refused: 0 };
  // One key at a time, so that a right value is not hidden by a wrong one elsewhere.
  const settings = fc.oneof(
    ...Object.entries(properties ?? {}).map(([key, node]) =>
      written(node).map((value) => ({ [key]: value })),
    ),
  );
  fc.assert(
    fc.property(settings, (value) => {
      const isAccepted = loadConfig(JSON.stringify(value)).ok;
      counts[isAccepted ? "accepted" : "refused"] += 1;
      expect({ value, isAccepted: accepts(value) }).toEqual({ value, isAccepted });
    }),
    { numRuns: 1_500 },
  );
  expect(counts.accepted).toBeGreaterThan(200);
  expect(counts.refused).toBeGreaterThan(200);
});
