import type { Argv } from "../../settings/schema/argv.ts";

/** What was found in a repository and on its machine. */
export interface FirstFacts {
  /** Name of the engine that is installed; `undefined` if none was found. */
  readonly engine: string | undefined;
  /** How the project tests itself, and the file that says so. */
  readonly verify: { readonly commands: readonly Argv[]; readonly from: string } | undefined;
}

/** The name of the settings' JSON Schema, which lies beside the settings. */
export const SCHEMA_FILE = "config.schema.json";

/** Tells editors where the schema is, for completion and checks while a person types. */
const EDITOR_LINE = `# yaml-language-server: $schema=./${SCHEMA_FILE}`;

const ENGINE = /^engine: auto$/mu;
const VERIFY = /^# verify: .*$/mu;

/**
 * The first settings of a repository: a shipped file, with the line for editors and with what was found in place of
 * its examples.
 */
export function firstSettings(shipped: string, { engine, verify }: FirstFacts): string {
  const named = engine === undefined ? shipped : shipped.replace(ENGINE, () => engineLine(engine));
  const filled = verify === undefined ? named : withVerify(named, verifyLine(verify));
  return `${EDITOR_LINE}\n${filled}`;
}

function engineLine(engine: string): string {
  return `engine: ${engine}`;
}

function withVerify(text: string, line: string): string {
  return VERIFY.test(text) ? text.replace(VERIFY, () => line) : `${text}${line}\n`;
}

/** One command as a list of its words, several as a list of lists, as YAML and JSON both write them. */
function verifyLine({ commands, from }: NonNullable<FirstFacts["verify"]>): string {
  const lists = commands.map(
    (words) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`,
  );
  const [first = "[]"] = lists;
  return `verify: ${lists.length === 1 ? first : `[${lists.join(", ")}]`} # from ${from}`;
}
