import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { expect, test } from "vitest";
import { z } from "zod";
import { repositoryRoot } from "./repository.ts";
import { importsIn } from "./source-facts.ts";

const run = promisify(execFile);

const Packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);

/** The paths that `npm pack` puts into the package. */
async function packedPaths(): Promise<readonly string[]> {
  const argv = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout } = await run("npm", argv, { cwd: repositoryRoot });
  const [packed] = Packed.parse(JSON.parse(stdout));
  return packed.files.map(({ path }) => path);
}

test("the package holds the program, and neither its source nor its tests", async () => {
  const paths = await packedPaths();
  expect(paths).toEqual(expect.arrayContaining(["dist/wisp.js", "LICENSE", "package.json"]));
  expect(paths.filter((path) => /^(?:src|test|bench|\.ci|\.cache)\//.test(path))).toEqual([]);
});

test("publint finds nothing to say about the package", async () => {
  const files = (await packedPaths()).map(async (path) => ({
    name: `package/${path}`,
    data: await readFile(join(repositoryRoot, path)),
  }));
  const pack = { files: await Promise.all(files) };
  const { messages } = await publint({ pack, pkgDir: "package", strict: true });
  expect(messages).toEqual([]);
});

test("the program is executable and carries the licences of what is bundled with it", async () => {
  const program = await stat(join(repositoryRoot, "dist/wisp.js"));
  expect(program.mode & 0o111).toBe(0o111);
  const licenses = await readFile(join(repositoryRoot, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  expect(licenses).toMatch(/^commander \S+ \(MIT\)$/m);
});

test("the program imports nothing but its own chunks and Node", async () => {
  const names = await readdir(join(repositoryRoot, "dist"));
  const chunks = names.filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(
    chunks.map((name) => readFile(join(repositoryRoot, "dist", name), "utf8")),
  );
  const foreign = texts
    .flatMap(importsIn)
    .filter((specifier) => !specifier.startsWith("./") && !isBuiltin(specifier));
  expect(foreign).toEqual([]);
});

test("a role and the supervisor are loaded from few files, and without what they may never need", async () => {
  const folder = join(repositoryRoot, "dist");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const texts = new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
    ),
  );
  for (const start of [
    "startPlanner",
    "startBuilder",
    "startReviewer",
    "startTester",
    "supervise",
  ]) {
    const first = names.filter((name) => isExportedBy(texts.get(name), start));
    const loaded = loadedWith(first, texts);
    expect(first).toHaveLength(1);
    expect(loaded.size).toBeLessThanOrEqual(20);
    const text = [...loaded].map((name) => texts.get(name)).join("");
    expect(text).not.toMatch(/YAMLParseError/u);
  }
});

function isExportedBy(text: string | undefined, name: string): boolean {
  return new RegExp(String.raw`export ?\{[^}]*\b${name}\b`, "u").test(text ?? "");
}

/** These chunks and what they import, directly or not, when they are loaded themselves. */
function loadedWith(
  chunks: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const loaded = new Set(chunks);
  for (const chunk of loaded) {
    for (const [, name = ""] of (texts.get(chunk) ?? "").matchAll(
      /(?:from|import) ?"\.\/([^"]+)"/gu,
    )) {
      loaded.add(name);
    }
  }
  return loaded;
}
