import { jsonOf } from "../../base/words/json-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a package.json that lead from names in other files to files of the package. */
const WHOLE = ["main", "module", "browser"];
const BY_NAME = ["exports", "imports"];

/**
 * The text of a package.json after a range, in which the names of modules lead to the same files as before it. Names that
 * did not exist before stay, unless a pattern of before would have covered them. The same text if nothing of this
 * changed, or if one of the texts cannot be parsed.
 *
 * @param before undefined if there was no such file
 */
export function withFormerMap(before: string | undefined, after: string): string {
  const [was, now] = [fieldsOf(jsonOf(before ?? "")), fieldsOf(jsonOf(after))];
  if (was === undefined || now === undefined) return after;
  const former = new Map<string, unknown>([
    ...WHOLE.map((key) => [key, was[key]] as const),
    ...BY_NAME.map((key) => [key, formerNames(key, was[key], now[key])] as const),
  ]);
  const changed = [...former].filter(([key, value]) => !isSame(value, now[key]));
  if (changed.length === 0) return after;
  const rest = Object.entries(now).filter(([key]) => !changed.some(([other]) => other === key));
  const restored = changed.filter(([, value]) => value !== undefined);
  return `${JSON.stringify(Object.fromEntries([...rest, ...restored]), undefined, 2)}\n`;
}

/** What the names of one field lead to, with those that are new. */
function formerNames(key: string, was: unknown, now: unknown): unknown {
  const [old, all] = [namesIn(key, was), namesIn(key, now)];
  // Without the field, names led elsewhere: those of `imports` nowhere, those of `exports` to files.
  if (was === undefined) return key === "imports" ? now : was;
  if (old === undefined || all === undefined) return was;
  const added = Object.entries(all).filter(
    ([name]) => !Object.keys(old).some((other) => covers(other, name)),
  );
  if (added.length === 0) return isSame(old, all) ? now : was;
  const names = Object.fromEntries([...Object.entries(old), ...added]);
  return isSame(names, all) ? now : names;
}

/** The names of a field, each with what it leads to; a value without names is that of the package's own name. */
function namesIn(key: string, value: unknown): Fields | undefined {
  const fields = fieldsOf(value);
  const marks = key === "exports" ? "." : "#";
  const isNamed =
    fields !== undefined && Object.keys(fields).every((name) => name.startsWith(marks));
  if (isNamed) return fields;
  return key === "exports" && value !== undefined ? { ".": value } : undefined;
}

/** Whether a name, or a pattern of names, leads somewhere for another name. */
function covers(name: string, other: string): boolean {
  if (name === other) return true;
  if (name.endsWith("/")) return other.startsWith(name);
  const [start = "", end] = name.split("*");
  return end !== undefined && other.startsWith(start) && other.endsWith(end);
}

function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

/** Whether two values are the same but for the order of names. The order of conditions matters to those that read them. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  const fields = fieldsOf(value);
  if (fields === undefined || !Object.keys(fields).every((name) => /^[.#]/.test(name)))
    return value;
  return Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
