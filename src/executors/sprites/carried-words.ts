/**
 * What a sprite is told to run, always the same: the words of the command follow on standard input, since a URL, where
 * the service expects them, is written to logs on the way. The first line is how many there are; then each is a line,
 * in which everything but plain characters is escaped for `printf %b`. The rest of the input is the command's.
 */
const READER = `
read -r count || exit 97
set --
while [ "$count" -gt 0 ]; do
  IFS= read -r word || exit 97
  case $word in *\\\\*) word=$(printf '%bx' "$word"); word=\${word%x} ;; esac
  set -- "$@" "$word"
  count=$((count - 1))
done
exec "$@"`;

/** The command line that reads its words from standard input. */
export const READER_ARGV = ["sh", "-c", READER] as const;

/** The words of a command as `READER_ARGV` reads them. */
export function carriedWords(argv: readonly string[]): string {
  return [String(argv.length), ...argv.map(escaped), ""].join("\n");
}

const BACKSLASH = 0x5c;

function escaped(word: string): string {
  if (/^[ -[\]-~]*$/.test(word)) return word;
  const isPlain = (byte: number) => byte >= 0x20 && byte < 0x7f && byte !== BACKSLASH;
  return Array.from(Buffer.from(word, "utf8"), (byte) =>
    isPlain(byte) ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, "0")}`,
  ).join("");
}
