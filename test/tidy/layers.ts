import { readFileSync } from "node:fs";
import { cruise, type IForbiddenRuleType } from "dependency-cruiser";
import { z } from "zod";
import owners from "./import-owners.json" with { type: "json" };

/** From the ground up; the folders of one floor are siblings and do not import each other. */
const FLOORS = z
  .array(z.array(z.string()))
  .parse(JSON.parse(readFileSync(new URL("./floors.json", import.meta.url), "utf8")));

const ROLES: readonly string[] = ["planner", "builder", "reviewer", "tester"];

/** How much was checked, and each violation as `rule: from -> to`, sorted. */
export interface LayerJudgement {
  readonly modules: number;
  readonly violations: readonly string[];
}

/** Checks the imports, including those of types, of the folder `src` in `baseDir`. */
export async function judgeLayers(baseDir: string): Promise<LayerJudgement> {
  const { output } = await cruise(["src"], {
    baseDir,
    validate: true,
    ruleSet: { forbidden: RULES },
    // Also imports of types: using a type of a layer depends on that layer.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default"] },
  });
  if (typeof output === "string") throw new Error(`dependency-cruiser answered: ${output}`);
  return {
    modules: output.modules.filter(({ source }) => source.startsWith("src/")).length,
    violations: output.summary.violations
      .map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
      .sort(),
  };
}

/** The packages that `import-owners.json` names besides the modules of Node. */
const OWNED_PACKAGES = Object.keys(owners).filter((name) => !name.startsWith("node:"));

const RULES: IForbiddenRuleType[] = [
  ...FLOORS.flatMap((row, height) => row.map((layer) => onlyDownward(layer, height))),
  ...ROLES.map(rolesMeetInFiles),
  {
    // They read state and append human records: an importer of a role could run it.
    name: "windows-do-not-import-agents",
    severity: "error",
    from: { path: "^src/(?:mcp|tui|web)/" },
    to: { path: "^src/agents/" },
  },
  {
    name: "every-file-is-in-a-layer",
    severity: "error",
    from: { path: "^src/", pathNot: `^src/(?:${FLOORS.flat().join("|")})/` },
    to: {},
  },
  {
    name: "source-stands-on-its-own",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^(?:test|bench|demo|\\.ci)/" },
  },
  { name: "no-circles", severity: "error", from: { path: "^src/" }, to: { circular: true } },
  {
    // An import that cannot be resolved cannot be checked.
    name: "every-import-resolves",
    severity: "error",
    from: { path: "^src/" },
    to: { couldNotResolve: true },
  },
  {
    // The bundle would include any installed package: one for tests, or a dependency of another one.
    name: "only-owned-packages-at-run-time",
    severity: "error",
    from: { path: "^src/" },
    to: {
      path: "(?:^|/)node_modules/",
      pathNot: `(?:^|/)node_modules/(?:${OWNED_PACKAGES.join("|")})/`,
      dependencyTypesNot: ["type-only"],
    },
  },
];

function onlyDownward(layer: string, height: number): IForbiddenRuleType {
  const allowed = [layer, ...FLOORS.slice(0, height).flat()].join("|");
  return {
    name: `${layer}-looks-only-down`,
    severity: "error",
    from: { path: `^src/${layer}/` },
    to: { path: "^src/", pathNot: [`^src/(?:${allowed})/`] },
  };
}

/** `reachable`: a role must not reach another one through a file that both may import, either. */
function rolesMeetInFiles(role: string): IForbiddenRuleType {
  const others = ROLES.filter((other) => other !== role).join("|");
  return {
    name: `${role}-meets-others-in-files`,
    severity: "error",
    from: { path: `^src/agents/${role}/` },
    to: { path: `^src/agents/(?:${others})/`, reachable: true },
  };
}
