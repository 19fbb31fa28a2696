import { allBlocks, documentOf } from "./document.ts";

/** The documents that contain commands. */
export const DOCUMENTS = [
  "README.md",
  "docs/ARCHITECTURE.md",
  "docs/COMMANDS.md",
  "docs/ENGINES.md",
  "docs/EXECUTORS.md",
  "docs/FORMATS.md",
  "docs/JSON.md",
  "docs/MCP.md",
  "docs/OPENTELEMETRY.md",
  "docs/REPOSITORIES.md",
  "docs/REVIEWERS.md",
  "docs/SANDBOX.md",
  "docs/SCALING.md",
  "docs/SESSIONS.md",
  "docs/SETTINGS.md",
  "docs/WATCH.md",
  "docs/PROTOCOL.md",
  "logs/README.md",
] as const;

/** Sentences about the program, and its name before a noun. */
const SENTENCE =
  /^wisp (?:itself|is|has|was|stages|runs|looks|works|takes|writes|makes|says|turns|keeps|session)\b/u;

/**
 * The commands of wisp in a document, each once, in the order of the text: lines of blocks (without `$` and
 * comment), and code in backquotes, in rows of tables and in the text.
 */
export function commandsOf(path: string): readonly string[] {
  const text = documentOf(path);
  const lines = allBlocks(text)
    .flatMap(({ content }) => content.split("\n"))
    .map(withoutMarks);
  const inline = [...text.matchAll(/`(wisp [^`]+)`/gu)].map(([, command = ""]) =>
    command.replaceAll(/\s+/gu, " "),
  );
  const all = [...lines.filter((line) => line.startsWith("wisp ")), ...inline];
  return [...new Set(all)].filter((command) => !SENTENCE.test(command));
}

/** Lines of shell in a document that are not commands of wisp, in order. */
export function shellLinesOf(path: string): readonly string[] {
  return allBlocks(documentOf(path))
    .filter(({ info, content }) => /^sh\b/u.test(info) || content.startsWith("$ "))
    .flatMap(({ content }) => (content.startsWith("#!") ? [] : content.trimEnd().split("\n")))
    .map(withoutMarks)
    .filter((line) => line !== "" && !line.startsWith("wisp "));
}

/** Without the prompt, and without the comment at its end. */
function withoutMarks(line: string): string {
  return line.replace(/^\$ /u, "").replace(/\s+# .*$/u, "");
}
