import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isProgramFile, NO_DIGEST, programDigest } from "../../src/base/program-digest.ts";

const PACKAGE = join(import.meta.dirname, "../..");
const PARTS = ["dist", "templates"];

/** Installs the built program in a folder, and returns the path of its script. */
export function installProgram(folder: string): string {
  for (const part of PARTS) cpSync(join(PACKAGE, part), join(folder, part), { recursive: true });
  return join(folder, "dist", "wisp.js");
}

/** The digest that a program names. */
export function codeOf(program: string): string {
  return /\b[0-9a-f]{32}\b/u.exec(readFileSync(program, "utf8"))?.[0] ?? "";
}

/** Replaces an installed program by a build that does the same, and of which every chunk has another name. */
export function replaceProgram(program: string): void {
  const dist = dirname(program);
  const code = codeOf(program);
  const names = readdirSync(dist).filter((name) => /-[\w-]{8}\.js$/u.test(name));
  const texts = readdirSync(dist).map(
    (name) => [name, readFileSync(join(dist, name), "utf8")] as const,
  );
  const rename = (text: string) =>
    text.replaceAll(/(?<=\w-)([\w-]{8})(?=\.js\b)/gu, (hash) => `${hash.slice(1)}0`);
  rmSync(dist, { recursive: true });
  cpSync(join(PACKAGE, "dist"), dist, { recursive: true, filter: (path) => !path.endsWith(".js") });
  for (const [name, text] of texts) {
    const isChunk = names.includes(name);
    if (name.endsWith(".js"))
      writeFileSync(
        join(dist, isChunk ? rename(name) : name),
        rename(text).replace(code, NO_DIGEST),
        { mode: 0o755 },
      );
  }
  const root = dirname(dist);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path: relative(root, path), bytes: readFileSync(path) }))
    .filter(({ path }) => isProgramFile(path));
  const digest = programDigest(files);
  writeFileSync(program, readFileSync(program, "utf8").replace(NO_DIGEST, digest));
}
