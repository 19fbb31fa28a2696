/** A string of one line; those of a table are the words that fill a title. */
const LITERAL = /"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\\n])*)`|'((?:\\.|[^'\\\n])*)'/g;
const PLACE = /%[#disjoO]|\$\{[^{}]*\}|\$[a-z]\w*/;
/** How a test that is run in several sandboxes is called. */
const SANDBOX = /^with '[^']*' /;

/**
 * Whether a test in the text of a file can have a title that begins so: a string says it, or one with places, which other
 * strings of that file fill. Nothing is loaded.
 */
export function hasTitle(source: string, beginning: string): boolean {
  const literals = literalsOf(source);
  const wanted = beginning.replace(SANDBOX, "");
  return literals.some((literal) => fills(literal.split(PLACE), wanted, literals));
}

function literalsOf(source: string): readonly string[] {
  const all = [...source.matchAll(LITERAL)].map(([, double, template, single]) =>
    (double ?? template ?? single ?? "").replace(/\\(["'`\\])/g, "$1"),
  );
  return [...new Set(all)].filter((literal) => literal !== "");
}

/** Whether the parts between places, with words in these, make a text that begins as is wanted. */
function fills(parts: readonly string[], wanted: string, words: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  if (first.startsWith(wanted)) return true;
  if (!wanted.startsWith(first) || rest.length === 0) return false;
  const left = wanted.slice(first.length);
  return words.some(
    (word) =>
      word.startsWith(left) ||
      (left.startsWith(word) && fills(rest, left.slice(word.length), words)),
  );
}
