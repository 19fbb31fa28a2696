import { join } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { repositoryRoot } from "../tidy/repository.ts";

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An exported type of the source. */
export interface NamedType {
  /** Relative to the repository. */
  readonly file: string;
  readonly type: string;
}

/**
 * JSON Schemas (draft 07) of what `JSON.stringify` makes of values of exported types, made by the compiler itself, so
 * that they say what it checks, with the comments as descriptions. A property that may be undefined may be absent.
 * Fields that are not named are allowed.
 */
export function jsonSchemasOf(types: readonly NamedType[]): readonly JsonSchema[] {
  const paths = types.map(({ file }) => join(repositoryRoot, file));
  const tsconfig = join(repositoryRoot, "tsconfig.json");
  const read = ts.readConfigFile(tsconfig, (path) => ts.sys.readFile(path));
  const config = z.object({ compilerOptions: z.looseObject({}) }).parse(read.config);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, repositoryRoot);
  const program = ts.createProgram([...new Set(paths)], options);
  return types.map(({ type }, at) => {
    const file = program.getSourceFile(paths[at] ?? "");
    const checker = program.getTypeChecker();
    const module = file && checker.getSymbolAtLocation(file);
    const found = module && checker.getExportsOfModule(module).find(({ name }) => name === type);
    if (found === undefined) throw new Error(`${paths[at] ?? ""} exports no ${type}`);
    return new SchemaWriter(checker).document(found);
  });
}

/** Writes one document; each type that has a name is written once, and referred to. */
class SchemaWriter {
  readonly #checker: ts.TypeChecker;
  readonly #names = new Map<ts.Type, string>();
  readonly #definitions: Record<string, JsonSchema> = {};

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  document(symbol: ts.Symbol): JsonSchema {
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const schema = this.#bare(type);
    const definitions = Object.entries(this.#definitions).sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    return {
      $schema: "http://json-schema.org/draft-07/schema#",
      ...this.#described(symbol),
      ...schema,
      ...(definitions.length > 0 ? { definitions: Object.fromEntries(definitions) } : {}),
    };
  }

  /** A reference to a type that has a name of its own, else the type itself. */
  #of(type: ts.Type): JsonSchema {
    const symbol = nameGiver(type);
    if (symbol === undefined) return this.#bare(type);
    const known = this.#names.get(type);
    const name = known ?? this.#free(symbol.name);
    if (known === undefined) {
      this.#names.set(type, name);
      this.#definitions[name] = {};
      this.#definitions[name] = { ...this.#described(symbol), ...this.#bare(type) };
    }
    return { $ref: `#/definitions/${name}` };
  }

  #free(name: string): string {
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? name : `${name}${String(count)}`;
      if (!(free in this.#definitions)) return free;
    }
  }

  #bare(type: ts.Type): JsonSchema {
    if (type.isUnion()) return this.#union(type.types);
    if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0) {
      return { const: this.#checker.typeToString(type) === "true" };
    }
    const simple = simpleSchema(type);
    if (simple !== undefined) return simple;
    // A brand is on no value.
    const primitive = type.isIntersection()
      ? type.types.map(simpleSchema).find(Boolean)
      : undefined;
    if (primitive !== undefined) return primitive;
    if (this.#isTuple(type)) return this.#tuple(type);
    if (this.#isArray(type)) {
      const [item] = this.#checker.getTypeArguments(type);
      return { type: "array", items: item === undefined ? {} : this.#of(item) };
    }
    return this.#object(type);
  }

  #isTuple(type: ts.Type): type is ts.TupleTypeReference {
    return this.#checker.isTupleType(type);
  }

  #isArray(type: ts.Type): type is ts.TypeReference {
    return this.#checker.isArrayType(type);
  }

  #union(types: readonly ts.Type[]): JsonSchema {
    const defined = types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
    const schemas = defined.map((type) => this.#of(type));
    const literals = schemas.flatMap((schema) => ("const" in schema ? [schema["const"]] : []));
    const others = schemas.filter((schema) => !("const" in schema));
    const isBoolean = literals.includes(true) && literals.includes(false);
    const words = literals.filter((one) => !isBoolean || typeof one !== "boolean").sort();
    const all = [
      ...(isBoolean ? [{ type: "boolean" }] : []),
      ...(words.length === 1 ? [{ const: words[0] }] : []),
      ...(words.length > 1 ? [{ enum: words }] : []),
      // The compiler's order is that in which it met them.
      ...others.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    ];
    const [only] = all;
    return all.length === 1 && only !== undefined ? only : { anyOf: all };
  }

  #tuple(type: ts.TupleTypeReference): JsonSchema {
    const items = this.#checker.getTypeArguments(type).map((one) => this.#of(one));
    const fixed = type.target.elementFlags.filter((flag) => flag === ts.ElementFlags.Required);
    const more = items.slice(fixed.length);
    return {
      type: "array",
      ...{ items: items.slice(0, fixed.length), minItems: fixed.length },
      additionalItems: more[0] ?? false,
    };
  }

  #object(type: ts.Type): JsonSchema {
    const properties = this.#checker.getPropertiesOfType(type);
    const index = this.#checker.getIndexInfoOfType(type, ts.IndexKind.String);
    const methods = properties.filter(({ flags }) => (flags & ts.SymbolFlags.Method) !== 0);
    if (methods.length > 0) {
      throw new Error(`${this.#checker.typeToString(type)} is nothing that JSON can hold`);
    }
    const values = properties.map((property) => {
      const value = this.#checker.getTypeOfSymbol(property);
      const schema = this.#of(value);
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined(value);
      const described = this.#described(property);
      // Beside a reference, draft 07 reads nothing else.
      const isAlone = "$ref" in schema && Object.keys(described).length > 0;
      const whole = isAlone ? { ...described, allOf: [schema] } : { ...described, ...schema };
      return { name: property.name, isOptional, schema: whole };
    });
    const required = values.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
    return {
      type: "object",
      ...(values.length > 0
        ? { properties: Object.fromEntries(values.map(({ name, schema }) => [name, schema])) }
        : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(index === undefined ? {} : { additionalProperties: this.#of(index.type) }),
    };
  }

  #described(symbol: ts.Symbol): JsonSchema {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
    return text === "" ? {} : { description: text.replaceAll(/\s+/gu, " ") };
  }
}

/** The interface or alias that gives an object or a union its name; a generic one is another each time. */
function nameGiver(type: ts.Type): ts.Symbol | undefined {
  if (type.aliasSymbol !== undefined) {
    return type.aliasTypeArguments === undefined && type.aliasSymbol.name !== "Oid"
      ? type.aliasSymbol
      : undefined;
  }
  const isInterface = type.isClassOrInterface() && type.symbol.name !== "Object";
  return isInterface && (type.typeParameters ?? []).length === 0 ? type.symbol : undefined;
}

function simpleSchema(type: ts.Type): JsonSchema | undefined {
  const { flags } = type;
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if ((flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) !== 0)
    return { type: "string" };
  if ((flags & ts.TypeFlags.Number) !== 0) return { type: "number" };
  if ((flags & ts.TypeFlags.Null) !== 0) return { type: "null" };
  if ((flags & ts.TypeFlags.NonPrimitive) !== 0) return { type: "object" };
  if ((flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0) return {};
  return undefined;
}

function mayBeUndefined(type: ts.Type): boolean {
  return type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0);
}
