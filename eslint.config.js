import { readFileSync } from "node:fs";
import vitest from "@vitest/eslint-plugin";
import { defineConfig } from "eslint/config";
import rxjsX from "eslint-plugin-rxjs-x";
import tseslint from "typescript-eslint";

/** The folders of the source; `test/tidy/layers.ts` reads it too. */
const LAYERS = JSON.parse(
  readFileSync(new URL("./test/tidy/floors.json", import.meta.url), "utf8"),
).flat();

/** Which layers may import which outside package; `test/tidy/source-rules.test.ts` reads it too. */
const owners = JSON.parse(
  readFileSync(new URL("./test/tidy/import-owners.json", import.meta.url), "utf8"),
);

/** Floors that hold the streams of this process, its signals and its terminal in their own hands. */
const WORLDLY = ["host", "terminal", "tui", "cli"].map((floor) => `src/${floor}/**/*.ts`);

/** What only the host and those before a person may touch: elsewhere the world comes in through a port. */
const WORLD_GLOBALS = [
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "console",
  "fetch",
  "performance",
  "process",
  "setImmediate",
  "setInterval",
  "setTimeout",
].map((name) => ({ name, message: "The world comes in through a port of src/base." }));

/** `Date.parse(text)` and `new Date(ms)` are arithmetic; only reading the clock is refused. */
const CLOCK_READS = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: "Read the time from the Clock port.",
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "Read the time from the Clock port.",
  },
  {
    selector: "CallExpression[callee.name='Date']",
    message: "Read the time from the Clock port.",
  },
];

const DEFAULT_EXPORT = {
  selector: "ExportDefaultDeclaration",
  message: "An import names the thing it gets: export it by name.",
};

const THROWN_ERROR = {
  selector: "ThrowStatement > NewExpression[callee.name='Error']",
  message: "What the world does wrong is a Result; what we do wrong is assert().",
};

/** Node's own version takes `..` out of what a link says before it follows the links before it; the system does not. */
const LEXICAL_REALPATH = {
  selector: "CallExpression[callee.name='realpathSync']",
  message: "Ask the system where a path leads: realpathSync.native.",
};

const SLEEP = "Wait for a fact (a record, a file, the end of a process), never for a duration.";

/** A test's environment has none of the settings of git that this machine or its person has. */
const BARE_ENVIRONMENT = [
  "MemberExpression[object.object.name='process'][object.property.name='env']:matches([property.value='PATH'], [property.name='PATH'])",
  "VariableDeclarator[init.object.name='process'][init.property.name='env'] > ObjectPattern > Property[key.name='PATH']",
].map((selector) => ({
  selector,
  message: "Ask ownEnvironment() of test/rig/own-environment.ts, or MACHINE_PATH for a longer one.",
}));

/** The files that the table names besides whole layers: programs of their own. */
const PROGRAMS = [...new Set(Object.values(owners).flat())].filter((name) => name.endsWith(".ts"));

/**
 * The rules for imports of one layer, or of one program: everything that the table gives to others
 * is refused.
 */
function importsOf(place) {
  const layer = place.split("/")[0];
  const refused = Object.entries(owners)
    .filter(([, places]) => places !== "any")
    .filter(([, places]) => !places.includes(layer) && !places.includes(place))
    .map(([name, layers]) => ({
      name,
      message: `Only ${layers.join(", ")} may import it (test/tidy/import-owners.json).`,
    }));
  return {
    name: `wisp/imports-of-${place}`,
    files: [place.endsWith(".ts") ? `src/${place}` : `src/${place}/**/*.ts`],
    rules: { "no-restricted-imports": ["error", { paths: refused }] },
  };
}

export default defineConfig(
  { ignores: ["dist/", "coverage/", ".cache/", ".wisp/", "demo/", "test/fixtures/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    name: "wisp/typescript",
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, rxjsX.configs.strict],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      // A default arm is either `unreachable(value)`, which the compiler checks, or "all the rest", said
      // on purpose; a switch without one must name every case.
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "rxjs-x/finnish": ["error", { functions: false, methods: false, properties: false }],
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-restricted-syntax": ["error", DEFAULT_EXPORT],
    },
  },
  {
    name: "wisp/source",
    files: ["src/**/*.ts"],
    rules: {
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
      "max-depth": ["error", 2],
      "max-params": ["error", 4],
      "no-console": "error",
      "no-restricted-globals": ["error", ...WORLD_GLOBALS],
      "no-restricted-syntax": ["error", DEFAULT_EXPORT, THROWN_ERROR, ...CLOCK_READS],
    },
  },
  ...[...LAYERS, ...PROGRAMS].map(importsOf),
  {
    name: "wisp/assertions",
    files: ["src/base/assert.ts"],
    rules: { "no-restricted-syntax": ["error", DEFAULT_EXPORT, ...CLOCK_READS] },
  },
  {
    name: "wisp/world",
    files: [...WORLDLY, ...PROGRAMS.map((program) => `src/${program}`)],
    rules: {
      "no-restricted-globals": "off",
      "no-restricted-syntax": ["error", DEFAULT_EXPORT, THROWN_ERROR, LEXICAL_REALPATH],
    },
  },
  {
    name: "wisp/host",
    files: ["src/host/**/*.ts"],
    rules: {
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "as" }],
    },
  },
  {
    name: "wisp/command-line",
    files: ["src/cli/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    name: "wisp/tests",
    files: ["test/**/*.ts"],
    plugins: { vitest },
    rules: {
      "max-lines": ["error", 600],
      "max-depth": ["error", 3],
      "max-params": ["error", 4],
      "no-restricted-syntax": ["error", DEFAULT_EXPORT, ...BARE_ENVIRONMENT],
      // A simulated port is async because the real one is.
      "@typescript-eslint/require-await": "off",
      "no-restricted-imports": [
        "error",
        {
          paths: ["timers/promises", "node:timers/promises"].map((name) => ({
            name,
            message: SLEEP,
          })),
        },
      ],
    },
  },
  {
    name: "wisp/own-environment",
    files: ["test/rig/own-environment.ts"],
    rules: { "no-restricted-syntax": ["error", DEFAULT_EXPORT] },
  },
  {
    name: "wisp/test-files",
    files: ["test/**/*.test.ts"],
    rules: {
      ...vitest.configs.recommended.rules,
      "vitest/expect-expect": [
        "error",
        { assertFunctionNames: ["expect", "expect*", "assert*", "fc.assert"] },
      ],
      "vitest/no-disabled-tests": "error",
      // Properties and tables assert inside callbacks and loops.
      "vitest/no-conditional-expect": "off",
      "vitest/no-standalone-expect": "off",
      "vitest/valid-title": ["error", { disallowedWords: ["should"] }],
      "no-restricted-globals": [
        "error",
        { name: "setTimeout", message: SLEEP },
        { name: "setInterval", message: SLEEP },
      ],
    },
  },
  {
    name: "wisp/configuration",
    files: ["**/*.config.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    name: "wisp/javascript",
    files: ["**/*.js", "**/*.mjs"],
    extends: [tseslint.configs.strict],
    rules: { eqeqeq: "error" },
  },
);
