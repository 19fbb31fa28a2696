import { z } from "zod";
import type { JsonSchema } from "./json-schema-of-types.ts";

/** What a schema promises about one place in a document. */
interface Promised {
  readonly isRequired: boolean;
  readonly types: ReadonlySet<string>;
}

/**
 * What a reader of documents may rely on and a later schema no longer promises, as `path: why`, sorted: places that are
 * gone, that may be absent now, or that may hold values of another type. New places and new words are no loss.
 */
export function lostPromises(before: JsonSchema, after: JsonSchema): readonly string[] {
  const later = promisesOf(after);
  const lost = [...promisesOf(before)].flatMap(([path, { isRequired, types }]) => {
    const now = later.get(path);
    if (now === undefined) return [`${path}: is gone`];
    if (isRequired && !now.isRequired) return [`${path}: may be absent`];
    const others = [...now.types].filter((type) => !types.has(type));
    return others.length > 0 ? [`${path}: may be ${others.join(" or ")}`] : [];
  });
  return lost.sort();
}

function promisesOf(schema: JsonSchema): ReadonlyMap<string, Promised> {
  const promised = new Map<string, Promised>();
  const { definitions } = Node.parse(schema);
  const visit = (part: unknown, at: Place): void => {
    const node = Node.parse(part);
    const name = node.$ref?.replace("#/definitions/", "");
    if (name !== undefined && !at.within.includes(name)) {
      visit(definitions[name], { ...at, within: [...at.within, name] });
    }
    for (const one of [...node.anyOf, ...node.allOf]) visit(one, at);
    const types = new Set([node.type, ...wordTypes(node)].filter((type) => type !== undefined));
    if (types.size > 0) {
      const known = promised.get(at.path);
      promised.set(at.path, {
        isRequired: (known?.isRequired ?? true) && at.isRequired,
        types: new Set([...(known?.types ?? []), ...types]),
      });
    }
    for (const [key, value] of Object.entries(node.properties)) {
      visit(value, { ...at, path: `${at.path}.${key}`, isRequired: node.required.includes(key) });
    }
    for (const [step, below] of [
      ["[]", node.items] as const,
      ["{}", node.additionalProperties] as const,
    ]) {
      const parts = Array.isArray(below) ? below : [below];
      for (const one of parts) {
        if (typeof one === "object") visit(one, { ...at, path: at.path + step, isRequired: true });
      }
    }
  };
  visit(schema, { path: "", isRequired: true, within: [] });
  return promised;
}

interface Place {
  readonly path: string;
  readonly isRequired: boolean;
  /** The definitions around it: one that contains itself is read once. */
  readonly within: readonly string[];
}

function wordTypes(node: z.infer<typeof Node>): readonly string[] {
  return [...node.enum, ...("const" in node ? [node.const] : [])].map((word) =>
    word === null ? "null" : typeof word,
  );
}

const Node = z.looseObject({
  $ref: z.string().optional(),
  type: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).default([]),
  anyOf: z.array(z.unknown()).default([]),
  allOf: z.array(z.unknown()).default([]),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  definitions: z.record(z.string(), z.unknown()).default({}),
});
