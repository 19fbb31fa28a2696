import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import typescript from "typescript";
import { afterAll } from "vitest";
import { scratch, type Scratch } from "./scratch.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const FIXTURES = "test/fixtures/host";

let compiled: Scratch | undefined;
afterAll(() => compiled?.[Symbol.dispose]());

/**
 * The path of a program of test/fixtures/host in a copy of the repository that node can run. Once for
 * each test file, the types are stripped from the part of the source that the programs import.
 */
export function compiledFixture(name: string): string {
  compiled ??= compile();
  return compiled.at(join(FIXTURES, name));
}

function compile(): Scratch {
  const copy = scratch();
  writeFileSync(copy.at("package.json"), '{ "type": "module" }');
  symlinkSync(join(REPOSITORY, "node_modules"), copy.at("node_modules"));
  for (const folder of ["src/base", "src/host", FIXTURES]) {
    const names = readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: "utf8" });
    for (const name of names.filter((one) => /\.[a-z]+$/.test(one))) {
      const source = readFileSync(join(REPOSITORY, folder, name), "utf8");
      const target = copy.at(join(folder, name.replace(/\.ts$/, ".js")));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, /\.[jt]s$/.test(name) ? stripTypes(source) : source);
    }
  }
  return copy;
}

function stripTypes(source: string): string {
  return typescript.transpileModule(source, {
    compilerOptions: {
      module: typescript.ModuleKind.ESNext,
      target: typescript.ScriptTarget.ES2023,
      rewriteRelativeImportExtensions: true,
    },
  }).outputText;
}
