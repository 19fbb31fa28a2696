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
