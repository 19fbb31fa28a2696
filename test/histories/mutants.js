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
const SWAPS_OF_PYTHON = [
  [" == ", " != "],
  [" != ", " == "],
  [" and ", " or "],
  [" or ", " and "],
  [" not in ", " in "],
  [" is not ", " is "],
  [" + 1", " + 2"],
  [" - 1", " - 2"],
  ["True", "False"],
  ["False", "True"],
  ["if not ", "if "],
  ["if ", "if not "],
];

/** Every mutant of the lines that are wanted: the whole text, and the line as it is then. */
export function mutantsOf(path, text, isWanted) {
  const lines = text.split("\n");
  const isPython = path.endsWith(".py");
  const swaps = isPython ? SWAPS_OF_PYTHON : SWAPS;
  const comment = isPython ? /^\s*#/u : /^\s*(\/\/|\*|\/\*)/u;
  const texts = isPython ? linesOfTexts(lines) : new Set();
  return lines.flatMap((line, at) => {
    if (comment.test(line) || texts.has(at) || !isWanted(line)) return [];
    return swaps
      .filter(([one]) => line.includes(one))
      .map(([one, other]) => {
        const changed = line.replace(one, other);
        return { path, line: changed, text: lines.with(at, changed).join("\n") };
      });
  });
}

/** The lines that hold texts of several lines in Python, most of which only describe something. */
function linesOfTexts(lines) {
  const found = new Set();
  let isInside = false;
  for (const [at, line] of lines.entries()) {
    const marks = line.split('"""').length - 1;
    if (isInside || marks > 0) found.add(at);
    if (marks % 2 === 1) isInside = !isInside;
  }
  return found;
}
