import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Rolldown, type UserConfig } from "tsdown";
import { z } from "zod";
import { isProgramFile, NO_DIGEST, programDigest } from "./src/base/program-digest.ts";

const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

/**
 * One executable, `dist/wisp.js`, with everything it needs inside `dist`: measured, importing the
 * runtime packages from `node_modules` costs about 190 ms over bare node. What stands behind a
 * dynamic `import()` becomes a chunk of its own that a command loads only when it is asked for.
 */
export const COMMON = {
  platform: "node",
  target: "node20.19",
  dts: false,
  // Three quarters of what would be shipped. `npx tsdown --sourcemap` builds the same text with maps beside it,
  // for `node --enable-source-maps`.
  sourcemap: false,
  // Less text to ship, and to parse at every start. Functions and classes keep their names: a stack trace must stay
  // readable.
  minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  // For Node, rxjs names its CommonJS build, which cannot be shaken: 226 kB, about 20 ms, instead of 31.
  alias: { rxjs: join(import.meta.dirname, "node_modules/rxjs/dist/esm/index.js") },
  // Without these, `ws` looks for native packages that are not shipped.
  define: { "process.env.WS_NO_BUFFER_UTIL": "'1'", "process.env.WS_NO_UTF_8_VALIDATE": "'1'" },
  // Every package, theirs included: `dist` runs without `node_modules`.
  deps: { alwaysBundle: [/^[^./]/], onlyBundle: false },
} satisfies UserConfig;

export default defineConfig({
  ...COMMON,
  entry: { wisp: "src/cli/wisp.ts" },
  // Node lets a program keep the compiled form of a CommonJS module, but not of an ES module.
  format: "cjs",
  outDir: "dist",
  outExtensions: () => ({ js: ".js" }),
  clean: true,
  outputOptions: {
    codeSplitting: {
      groups: [
        { name: cacheOf, priority: 4 },
        { name: wordsOf, priority: 3 },
        { name: chunkOf, priority: 2 },
        { name: viewsOf, priority: 1 },
        { name: commitsOf, priority: 0 },
      ],
    },
  },
  plugins: [commonJs(), inAscii(), thirdPartyLicenses(), ownDigest()],
});

const CODE_CACHE = "/src/cli/keep-own-code.ts";
const WORDS = "/src/cli/program.ts";
const COMMAND = "/src/cli/run-command.ts";
const STATUS = "/src/cli/read-only/status.ts";
const SUPERVISOR = "/src/cli/processes/supervise.ts";
const AGENT = "/src/cli/processes/agent.ts";
const mainOf = (role: string) => `/src/agents/${role}/main.ts`;
const ROLES = ["planner", "builder", "reviewer", "tester"].map(mainOf);
const COMMITTERS = ["builder", "tester"].map(mainOf);

/** What comes before the cache of compiled code is not in it, so it is kept apart, and small. */
function cacheOf(id: string, context: Rolldown.ChunkingContext): string | undefined {
  const isLoaded = startsThatLoad(id, context).some((path) => path.endsWith(CODE_CACHE));
  return isLoaded ? "code-cache" : undefined;
}

/** What only says how commands are called does without what they are made of. */
function wordsOf(id: string, context: Rolldown.ChunkingContext): string | undefined {
  const isLoaded = startsThatLoad(id, context).some((path) => path.endsWith(WORDS));
  return isLoaded ? "program" : undefined;
}

/**
 * To find and open a file costs a start about as much as 20 kB of text in it. So what every command
 * loads, and what roles share with the supervisor or with the command that people run most, is one
 * chunk; what else most roles load is another, what else the two that commit load a third, and what else that command
 * loads a fourth. The rest is split by who imports it.
 */
function chunkOf(id: string, context: Rolldown.ChunkingContext): string | undefined {
  const starts = startsThatLoad(id, context);
  const isLoadedBy = (start: string) => starts.some((path) => path.endsWith(start));
  const isOfRoles = isLoadedBy(AGENT) || ROLES.filter(isLoadedBy).length > 2;
  const isOfOthers = [SUPERVISOR, STATUS].some(isLoadedBy);
  if (isLoadedBy(COMMAND) || (isOfRoles && isOfOthers)) return "process";
  return isOfRoles ? "role" : undefined;
}

/** What the roles that commit load, and no other. */
function commitsOf(id: string, context: Rolldown.ChunkingContext): string | undefined {
  const starts = startsThatLoad(id, context);
  const isShared = COMMITTERS.every((start) => starts.some((path) => path.endsWith(start)));
  return isShared && chunkOf(id, context) === undefined ? "commits" : undefined;
}

/** What the command that people run most loads, and no role. */
function viewsOf(id: string, context: Rolldown.ChunkingContext): string | undefined {
  const isShown = startsThatLoad(id, context).some((path) => path.endsWith(STATUS));
  return isShown && chunkOf(id, context) === undefined ? "views" : undefined;
}

/** The modules behind a dynamic import, or the program's first, that import a module by whatever way. */
function startsThatLoad(id: string, context: Rolldown.ChunkingContext): readonly string[] {
  const found = new Set([id]);
  const starts: string[] = [];
  for (const one of found) {
    const info = context.getModuleInfo(one);
    if (info === null) continue;
    if (info.isEntry || info.dynamicImporters.length > 0) starts.push(one);
    info.importers.forEach((importer) => found.add(importer));
  }
  return starts;
}

/** Everywhere else in this package, a file that ends in `.js` is an ES module. */
const COMMON_JS = JSON.stringify({ type: "commonjs" });

function commonJs(): Rolldown.Plugin {
  return {
    name: "common-js",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "package.json", source: COMMON_JS });
    },
  };
}

/** Writes the digest of all that the program runs into its first file, so that no start has to compute it. */
function ownDigest(): Rolldown.Plugin {
  return {
    name: "own-digest",
    generateBundle(_options, outputs) {
      const chunks = Object.values(outputs).filter((output) => output.type === "chunk");
      const texts = chunks.map(({ fileName, code }) => [`dist/${fileName}`, code] as const);
      const [first] = chunks.filter(({ isEntry, code }) => isEntry && code.includes(NO_DIGEST));
      if (first === undefined) return this.error(`no entry says ${NO_DIGEST}`);
      const built = [...texts, ["dist/package.json", COMMON_JS] as const];
      const files = built.map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
      const digest = programDigest(
        [...files, ...templates()].filter(({ path }) => isProgramFile(path)),
      );
      first.code = first.code.replace(NO_DIGEST, digest);
    },
  };
}

function templates() {
  const root = import.meta.dirname;
  const entries = readdirSync(join(root, "templates"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path: relative(root, path), bytes: readFileSync(path) }));
}

/**
 * V8 stores a text with a single character above U+00FF in two bytes per character. Reading such a chunk, comparing its
 * digest and taking it from the cache of compiled code takes a third longer. Such characters are only in literals.
 */
function inAscii(): Rolldown.Plugin {
  return {
    name: "in-ascii",
    generateBundle(_options, outputs) {
      for (const output of Object.values(outputs)) {
        if (output.type !== "chunk") continue;
        if (MEANS_ITSELF.test(output.code)) this.error(`${output.fileName}: write it as \\u…`);
        output.code = output.code.replace(/[\u0080-\uffff]/g, unicodeEscape);
      }
    },
  };
}

/** Where a character cannot be replaced by its escape: behind a backslash, and where escapes are left as they are. */
const MEANS_ITSELF = /\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/;

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Whoever passes a bundle on passes on the licences of what is in it. */
function thirdPartyLicenses(): Rolldown.Plugin {
  return {
    name: "third-party-licenses",
    generateBundle(_options, outputs) {
      const chunks = Object.values(outputs).filter((output) => output.type === "chunk");
      const roots = new Set(chunks.flatMap(({ moduleIds }) => moduleIds).flatMap(packageRoot));
      const source = [...roots]
        .sort()
        .map(licenseOf)
        .join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES.txt", source });
    },
  };
}

/** The folder of the package that holds a module; nothing for a module of ours. */
function packageRoot(moduleId: string): readonly string[] {
  const root = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId.replace(/[\0?].*$/, ""));
  return root === null ? [] : [root[0]];
}

function licenseOf(root: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { name, version, license } = Manifest.parse(manifest);
  const file = readdirSync(root).find((entry) => /^(?:licen[cs]e|copying)(?:\.|$)/i.test(entry));
  const text = file === undefined ? "" : `\n${readFileSync(join(root, file), "utf8").trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
