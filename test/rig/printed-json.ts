import { Ajv, type ValidateFunction } from "ajv";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { repositoryRoot, textOf } from "../tidy/repository.ts";

const FOLDER = "schemas/output";
/** The document that is a list and names no schema. */
const LIST = "tasks.1";

/**
 * Checks that what a command printed with `--json` are documents that the published schemas describe wholly: a field
 * that a schema does not name fails, too, because nobody would know of it.
 */
export function expectDescribed(stdout: string): void {
  for (const document of documentsIn(stdout)) {
    const name = nameOf(document);
    const validate = validators().get(name);
    expect([...validators().keys()]).toContain(name);
    validate?.(document);
    expect({ name, document, errors: validate?.errors ?? [] }).toEqual({
      ...{ name, document, errors: [] },
    });
  }
}

/** One object or list, or an object per line. */
function documentsIn(stdout: string): readonly unknown[] {
  const isOne = stdout.startsWith("{\n") || stdout.startsWith("[");
  const texts = isOne ? [stdout] : stdout.split("\n").filter((line) => line !== "");
  return texts.map((text): unknown => JSON.parse(text));
}

const Named = z.object({ schema: z.string() });

function nameOf(document: unknown): string {
  return Array.isArray(document) ? LIST : fileOf(Named.parse(document).schema);
}

/** Commands that only act on a session share a document. */
function fileOf(schema: string): string {
  const [, name = "", version = ""] = /^wisp\.([a-z-]+)\/(\d+)$/u.exec(schema) ?? [];
  return ACTS.has(name) ? `acted.${version}` : `${name}.${version}`;
}

const Acted = z.object({
  properties: z.object({ schema: z.object({ enum: z.array(z.string()) }) }),
});
const ACTS: ReadonlySet<string> = new Set(
  Acted.parse(schemaIn("acted.1.schema.json")).properties.schema.enum.map((name) =>
    name.replace(/^wisp\.(.*)\/\d+$/u, "$1"),
  ),
);

function schemaIn(file: string): unknown {
  return JSON.parse(textOf(join(FOLDER, file)));
}

let compiled: ReadonlyMap<string, ValidateFunction> | undefined;

/** By the schema's file without its ending; compiled when the first document is seen. */
function validators(): ReadonlyMap<string, ValidateFunction> {
  compiled ??= new Map(
    readdirSync(join(repositoryRoot, FOLDER)).map((file) => {
      const schema = closed(schemaIn(file));
      return [
        file.replace(/\.schema\.json$/u, ""),
        new Ajv().compile(z.looseObject({}).parse(schema)),
      ];
    }),
  );
  return compiled;
}

/** The same schema, but without room for more than it names. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const parts = Object.fromEntries(Object.entries(node).map(([key, part]) => [key, closed(part)]));
  const isOpen = "properties" in node && "type" in node && !("additionalProperties" in node);
  return isOpen ? { ...parts, additionalProperties: false } : parts;
}
