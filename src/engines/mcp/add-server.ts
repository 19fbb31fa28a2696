import { isDeepStrictEqual } from "node:util";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { z } from "zod";
import { fail, ok, type Result } from "../../base/result.ts";
import type { McpClient } from "./mcp-client.ts";

/** Why a client's file is left unchanged. */
export type AddRefusal =
  /** The client could not read it. */
  | "unreadable"
  /** It lists a different server under that name. */
  | "taken"
  /** Its servers are in an inline table of TOML, which cannot be extended. */
  | "inline";

const NAME = "wisp";
const Mapping = z.record(z.string(), z.unknown());
type Mapping = z.infer<typeof Mapping>;

/**
 * Adds the server to a client's file and leaves everything else unchanged; returns the same text if it is already
 * there.
 *
 * @param before the file's text, or `undefined` if there is no file
 */
export function addServer(
  client: McpClient,
  before: string | undefined,
  command: readonly [string, ...string[]],
): Result<string, AddRefusal> {
  const { empty, parse, add } = FORMATS[client.format];
  const text = before ?? empty;
  const config = Mapping.safeParse(parse(text));
  const servers = Mapping.safeParse(config.data?.[client.key] ?? {});
  if (!config.success || !servers.success) return fail("unreadable");
  const entry = client.entry(command);
  const there = Mapping.safeParse(servers.data[NAME]);
  if (there.success && isDeepStrictEqual({ ...there.data }, { ...entry })) return ok(text);
  if (servers.data[NAME] !== undefined) return fail("taken");
  return add(text, { key: client.key, config: config.data, servers: servers.data, entry });
}

interface Addition {
  readonly key: string;
  /** The whole file, and the servers in it. */
  readonly config: Mapping;
  readonly servers: Mapping;
  readonly entry: Mapping;
}

interface Format {
  readonly empty: string;
  /** `undefined` if the text cannot be read. */
  readonly parse: (text: string) => unknown;
  readonly add: (text: string, addition: Addition) => Result<string, AddRefusal>;
}

const FORMATS: Readonly<Record<McpClient["format"], Format>> = {
  json: {
    empty: "{}",
    parse: (text) => read(() => JSON.parse(text)),
    add: (text, { key, config, servers, entry }) => {
      const added = { ...config, [key]: { ...servers, [NAME]: entry } };
      return ok(`${JSON.stringify(added, undefined, indentOf(text))}\n`);
    },
  },
  toml: {
    empty: "",
    parse: tableOf,
    // A table at the end of the file does not affect what precedes it, so comments and layout stay.
    add: (text, { key, entry }) => {
      const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
      const added = `${text}${gap}${stringifyToml({ [key]: { [NAME]: entry } })}`;
      return tableOf(added) === undefined ? fail("inline") : ok(added);
    },
  },
};

function tableOf(text: string): unknown {
  return read(() => parseToml(text, { integersAsBigInt: "asNeeded" }));
}

function read(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** The file's current indentation, so that its other lines stay the same. */
function indentOf(text: string): string {
  return /^([ \t]+)"/mu.exec(text)?.[1] ?? "  ";
}
