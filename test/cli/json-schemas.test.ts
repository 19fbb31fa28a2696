import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
import { z } from "zod";
import { currentJsonSchemas, JSON_DOCUMENTS, JSON_SCHEMAS } from "../rig/json-documents.ts";
import { lostPromises } from "../rig/json-promises.ts";
import { expectDescribed } from "../rig/printed-json.ts";
import { documentOf } from "../rig/document.ts";
import { repositoryRoot, sourceFiles, textOf } from "../tidy/repository.ts";

/*
 * What commands print with `--json` is what the published schemas say: the rigs of the process tests check each
 * document that they see (`test/rig/printed-json.ts`).
 */

const CURRENT = currentJsonSchemas();
const Schema = z.record(z.string(), z.unknown());

/** Also with -u, which would otherwise break a promise in silence: what is meant goes into a new version. */
test.each([...CURRENT])(
  "%s is as the source has it, and only ever promises more (npx vitest run test/cli/json-schemas.test.ts -u)",
  async (file, schema) => {
    const path = join(JSON_SCHEMAS, file);
    const published = existsSync(join(repositoryRoot, path)) ? textOf(path) : "{}";
    expect(lostPromises(Schema.parse(JSON.parse(published)), schema)).toEqual([]);
    const text = await format(JSON.stringify(schema), { parser: "json", printWidth: 100 });
    await expect(text).toMatchFileSnapshot(join(repositoryRoot, path));
  },
);

test("the package has a schema for each document, and no other", () => {
  const files = readdirSync(join(repositoryRoot, JSON_SCHEMAS));
  expect(files.sort()).toEqual([...CURRENT.keys()].sort());
});

/** The names in the source, such as `wisp.status/1`. */
const NAMED = new Set(
  sourceFiles().flatMap((path) =>
    [...textOf(path).matchAll(/["`]wisp\.(?:[a-z-]+|\$\{\w+\})\/\d+["`]/gu)].map(([name]) =>
      name.slice(1, -1),
    ),
  ),
);

test("every document that the source names has a schema that names it", () => {
  const inSchemas = new Set(
    [...CURRENT.values()].flatMap((schema) =>
      [...JSON.stringify(schema).matchAll(/"(wisp\.[a-z-]+\/\d+)"/gu)].map(
        ([, name]) => name ?? "",
      ),
    ),
  );
  expect(NAMED.size).toBeGreaterThan(20);
  const fixed = [...NAMED].filter((name) => !name.includes("$"));
  expect(fixed.filter((name) => !inSchemas.has(name))).toEqual([]);
  expect([...NAMED].filter((name) => name.includes("$"))).toEqual([
    "wisp.${Act}/1",
    "wisp.${act}/1",
  ]);
});

test("docs/JSON.md names every document and its file", () => {
  const text = documentOf("docs/JSON.md");
  for (const { name, version } of JSON_DOCUMENTS) {
    expect(text).toContain(`\`${name}.${String(version)}.schema.json\``);
  }
});

const published = (properties: object, required: readonly string[] = []) => {
  return { type: "object", properties, required };
};

test("a field that goes, may be absent or changes its type is a broken promise; a new one is none", () => {
  const before = published(
    { a: { type: "string" }, b: { type: "array", items: { enum: ["x"] } }, c: { type: "number" } },
    ["a", "c"],
  );
  const orNull = { anyOf: [{ type: "string" }, { type: "null" }] };
  const after = published({
    ...{ a: orNull, b: { items: { enum: ["x", "y"] } }, d: { type: "string" } },
  });
  expect(lostPromises(before, after)).toEqual([".a: may be absent", ".b: is gone", ".c: is gone"]);
  expect(lostPromises(before, published({ ...before.properties, d: {} }, ["a", "c", "d"]))).toEqual(
    [],
  );
  const nullable = published({ ...before.properties, a: orNull }, ["a", "c"]);
  expect(lostPromises(before, nullable)).toEqual([".a: may be null"]);
});

test("a document with a field, a word or a name that no schema has is noticed", () => {
  const error = { code: "usage", message: "No.", details: [], next: [] };
  const view = { schema: "wisp.error/1", error };
  expectDescribed(JSON.stringify(view));
  expectDescribed(`${JSON.stringify(view)}\n${JSON.stringify(view)}\n`);
  for (const wrong of [
    { ...view, more: 1 },
    { ...view, error: { ...error, more: 1 } },
    { ...view, error: { ...error, next: undefined } },
    { ...view, schema: "wisp.error/2" },
    { schema: "wisp.list/1", sessions: [{}], unreadable: [] },
  ]) {
    expect(() => {
      expectDescribed(JSON.stringify(wrong));
    }).toThrow();
  }
});
