import { isDeepStrictEqual } from "node:util";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { z } from "zod";
import { fail, ok, type Result } from "../../base/result.ts";
import type { McpClient } from "./mcp-client.ts";

/** Why a client's file is left as it is. */
export type AddRefusal =
  /** It is not what the client reads. */
  | "unreadable"
  /** It has another server of that name. */
  | "taken"
  /** It has its servers in an inline table of TOML, which is whole as it stands. */
  | "inline";

const NAME = "wisp";
const Mapping = z.record(z.string(), z.unknown());
type Mapping = z.infer<typeof Mapping>;

/**
 * A client's file with the server in it, everything else as it was; the same text where it is there already.
 *
 * @param before its text, or undefined where there is no file
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
  /** All of the file, and the servers in it. */
  readonly config: Mapping;
  readonly servers: Mapping;
  readonly entry: Mapping;
}

interface Format {
  readonly empty: string;
  /** Undefined: the text cannot be read. */
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
    // A table at the end of the file changes nothing of what stands before it: comments and layout stay.
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

/** As the file is written now, so that its other lines stay the same. */
function indentOf(text: string): string {
  return /^([ \t]+)"/mu.exec(text)?.[1] ?? "  ";
}
