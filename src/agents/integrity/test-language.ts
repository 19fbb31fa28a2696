import { posix } from "node:path";

/** Languages whose tests are compared. */
export type TestLanguage = "javascript" | "python" | "go" | "rust" | "ruby";

const BY_EXTENSION: ReadonlyMap<string, TestLanguage> = new Map([
  ...[".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"].map(
    (extension) => [extension, "javascript"] as const,
  ),
  [".py", "python"],
  [".go", "go"],
  [".rs", "rust"],
  [".rb", "ruby"],
]);

/** The language of a file by its name; undefined where its tests cannot be told. */
export function testLanguageOf(path: string): TestLanguage | undefined {
  return BY_EXTENSION.get(posix.extname(path).toLowerCase());
}
