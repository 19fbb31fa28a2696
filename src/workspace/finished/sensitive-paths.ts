import { CODING_CLIS } from "../../engines/coding-clis.ts";

/** What a changed file can run outside of a session, or whom it instructs, in words for people. */
export type SensitiveKind =
  | "settings of wisp"
  | "instructions and settings of agents"
  | "MCP servers"
  | "hooks and filters of git"
  | "CI workflows"
  | "scripts of a package"
  | "settings of a package manager"
  | "settings of an editor"
  | "environment of the shell";

/**
 * Patterns by kind, most significant first: folders and names that tools look for, at any depth if
 * the tool searches there. They ignore case, since some file systems do.
 */
const KINDS: readonly (readonly [SensitiveKind, readonly RegExp[]])[] = [
  ["settings of wisp", [/(?:^|\/)\.wisp\//i]],
  ["MCP servers", [/(?:^|\/)\.?mcp\.jsonc?$/i]],
  [
    "instructions and settings of agents",
    [
      ...CODING_CLIS.flatMap(({ instructions }) => instructions),
      // Of agents that wisp does not drive itself.
      /(?:^|\/)(?:AGENTS?|QWEN|CONVENTIONS)\.md$/i,
      /(?:^|\/)\.(?:cursor|agents|aider|continue)\//i,
      /(?:^|\/)\.(?:windsurf|roo|cline|kiro|qwen|amazonq|goose)\//i,
      /(?:^|\/)\.(?:cursor|windsurf|cline|roo|goose)(?:rules|ignore|hints)(?:\/|$)/i,
      /(?:^|\/)\.aider[^/]*$/i,
    ],
  ],
  [
    "hooks and filters of git",
    [
      /(?:^|\/)\.(?:husky|githooks|git-hooks|hooks|lefthook)\//i,
      /(?:^|\/)\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$/i,
      /(?:^|\/)\.pre-commit-(?:config|hooks)\.ya?ml$/i,
      /(?:^|\/)\.(?:overcommit\.yml|gitattributes|gitmodules|gitconfig)$/i,
      /(?:^|\/)\.?(?:simple-git-hooks|lint-?staged(?:rc)?)(?:\.[^/]*)?$/i,
      /(?:^|\/)(?:lint-staged|simple-git-hooks)\.config\.[^/]*$/i,
    ],
  ],
  [
    "CI workflows",
    [
      /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\//i,
      /^action\.ya?ml$/i,
      /(?:^|\/)\.gitlab-ci\.ya?ml$/i,
      /^\.(?:gitlab|circleci|buildkite|azure-pipelines|woodpecker|semaphore|teamcity|ci)\//i,
      /(?:^|\/)\.?(?:azure-pipelines|appveyor|bitbucket-pipelines|cloudbuild)[^/]*\.ya?ml$/i,
      /(?:^|\/)\.(?:travis|drone|woodpecker|cirrus)\.ya?ml$/i,
      /(?:^|\/)Jenkinsfile[^/]*$/i,
    ],
  ],
  [
    "settings of a package manager",
    [
      /(?:^|\/)\.(?:npmrc|yarnrc|yarnrc\.yml|pnpmfile\.c?js)$/i,
      /(?:^|\/)(?:bunfig\.toml|\.cargo\/config(?:\.toml)?|pip\.conf)$/i,
      /(?:^|\/)\.yarn\/(?:releases|plugins)\//i,
    ],
  ],
  [
    "settings of an editor",
    [/(?:^|\/)\.(?:vscode|devcontainer|idea|zed)\//i, /\.code-workspace$/i],
  ],
  [
    "environment of the shell",
    [
      /(?:^|\/)\.envrc$/i,
      /(?:^|\/)\.?mise(?:\.[^/]*)?\.toml$/i,
      /(?:^|\/)\.?mise\//i,
      /(?:^|\/)\.config\/mise(?:\/|\.toml$)/i,
    ],
  ],
];

/** Why a path is sensitive; undefined if it is not. For a `package.json`, its scripts decide. */
export function sensitiveKind(path: string): SensitiveKind | undefined {
  return KINDS.find(([, patterns]) => patterns.some((pattern) => pattern.test(path)))?.[0];
}

/** Whether a path is a package's manifest, which may define scripts. */
export function isPackageJson(path: string): boolean {
  return /(?:^|\/)package\.json$/i.test(path);
}

/**
 * Whether two versions of a `package.json` differ in their scripts; an unreadable one may contain
 * any scripts.
 */
export function hasOtherScripts(before: string | undefined, after: string | undefined): boolean {
  if (before === after) return false;
  const [one, other] = [scriptsOf(before), scriptsOf(after)];
  return one === undefined || other === undefined || one !== other;
}

/** The scripts in a canonical form for comparison; undefined if the text is not a JSON object. */
function scriptsOf(text: string | undefined): string | undefined {
  try {
    const manifest: unknown = JSON.parse((text ?? "{}").replace(/^\ufeff/, ""));
    if (typeof manifest !== "object" || manifest === null) return undefined;
    const scripts: unknown = "scripts" in manifest ? manifest.scripts : undefined;
    if (typeof scripts !== "object" || scripts === null) return JSON.stringify(scripts ?? null);
    return JSON.stringify(Object.entries(scripts).sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch {
    return undefined;
  }
}
