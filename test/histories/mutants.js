// One operator or constant of a line becomes another one.
const SWAPS = [
  ["===", "!=="],
  ["!==", "==="],
  [" && ", " || "],
  [" || ", " && "],
  [" < ", " >= "],
  [" > ", " <= "],
  [" <= ", " > "],
  [" >= ", " < "],
  [" + 1", " + 2"],
  [" - 1", " - 2"],
  ["true", "false"],
  ["false", "true"],
  ["if (", "if (!"],
];

/** Every mutant of the lines that are wanted: the whole text, and the line as it is then. */
export function mutantsOf(path, text, isWanted) {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (/^\s*(\/\/|\*|\/\*)/u.test(line) || !isWanted(line)) return [];
    return SWAPS.filter(([one]) => line.includes(one)).map(([one, other]) => {
      const changed = line.replace(one, other);
      return { path, line: changed, text: lines.with(at, changed).join("\n") };
    });
  });
}
