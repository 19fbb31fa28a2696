import { shown } from "../../base/words/shown.ts";

type Argv = readonly string[];

/**
 * A setting as a person writes it into `.wisp/config.yaml`, such as `setup: [[npm, ci], [make, assets]]`: the commands
 * that there are, since a setting replaces what is detected, and a new one before or after them.
 */
export function settingWords(
  name: "setup" | "build" | "verify",
  {
    before = [],
    added,
    after = [],
  }: Readonly<Record<"added", readonly Argv[]>> &
    Readonly<Partial<Record<"before" | "after", readonly Argv[]>>>,
): string {
  const lists = [...before, ...added, ...after].map((argv) => `[${argv.map(yamlWord).join(", ")}]`);
  const [first = "[]"] = lists;
  return shown(`\`${name}: ${lists.length === 1 ? first : `[${lists.join(", ")}]`}\``);
}

/** A word that YAML reads as itself, or else in quotes. */
function yamlWord(word: string): string {
  const isPlain = /^[A-Za-z./_-][\w./=-]*$/.test(word) && word !== "-";
  const isOther = /^(?:true|false|null|yes|no|on|off|\.inf|\.nan)$/i.test(word);
  return isPlain && !isOther ? word : JSON.stringify(word);
}
