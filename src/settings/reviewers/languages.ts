import { posix } from "node:path";

/** Languages that a reviewer can be limited to, and their file extensions. */
const EXTENSIONS = {
  c: [".c", ".h"],
  cpp: [".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"],
  csharp: [".cs"],
  css: [".css", ".less", ".sass", ".scss"],
  dart: [".dart"],
  elixir: [".ex", ".exs"],
  go: [".go"],
  html: [".htm", ".html"],
  java: [".java"],
  javascript: [".cjs", ".js", ".jsx", ".mjs"],
  json: [".json", ".json5", ".jsonc"],
  kotlin: [".kt", ".kts"],
  lua: [".lua"],
  markdown: [".markdown", ".md", ".mdx"],
  php: [".php"],
  python: [".py", ".pyi"],
  ruby: [".rake", ".rb"],
  rust: [".rs"],
  scala: [".sc", ".scala"],
  shell: [".bash", ".sh", ".zsh"],
  sql: [".sql"],
  svelte: [".svelte"],
  swift: [".swift"],
  toml: [".toml"],
  typescript: [".cts", ".mts", ".ts", ".tsx"],
  vue: [".vue"],
  yaml: [".yaml", ".yml"],
  zig: [".zig"],
} as const;

export const LANGUAGES = Object.keys(EXTENSIONS);

const NAMES: Readonly<Record<string, string>> = { rakefile: "ruby", gemfile: "ruby" };

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENSIONS).flatMap(([language, extensions]) =>
    extensions.map((extension) => [extension, language] as const),
  ),
);

/** The language of a file by its name, or undefined if it is unknown. */
export function languageOf(path: string): string | undefined {
  const name = posix.basename(path).toLowerCase();
  return (
    (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined) ?? BY_EXTENSION.get(posix.extname(name))
  );
}
