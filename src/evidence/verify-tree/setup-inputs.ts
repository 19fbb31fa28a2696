import { posix } from "node:path";
import picomatch from "picomatch";

/** Names of files, in any folder: manifests, lock files, settings of package managers. */
const NAMES = new Set([
  // JavaScript.
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"],
  ...["bun.lock", "bun.lockb", ".npmrc", "pnpm-workspace.yaml", ".pnpmfile.cjs", "bunfig.toml"],
  ...["lerna.json", "rush.json", "deno.json", "deno.jsonc", "deno.lock", ".pnp.cjs", ".yarnrc"],
  // Python.
  ...[
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "uv.lock",
    "uv.toml",
    "poetry.lock",
    "poetry.toml",
  ],
  ...["pdm.lock", "pdm.toml", "Pipfile", "Pipfile.lock", "pip.conf", "pip.ini", "environment.yml"],
  ...["environment.yaml", "conda-lock.yml", "pixi.toml", "pixi.lock", "MANIFEST.in"],
  // Go, Rust, the JVM.
  ...["go.mod", "go.sum", "go.work", "go.work.sum", "Cargo.toml", "Cargo.lock", "pom.xml"],
  ...["rust-toolchain", "rust-toolchain.toml", "gradle.properties", "gradle.lockfile"],
  ...["libs.versions.toml", "gradle-wrapper.properties", "maven-wrapper.properties", "mvnw"],
  // Others.
  ...["Gemfile", "Gemfile.lock", "gems.rb", "gems.locked", "composer.json", "composer.lock"],
  ...["mix.exs", "mix.lock", "pubspec.yaml", "pubspec.lock", "Package.swift", "Package.resolved"],
  ...["packages.lock.json", "packages.config", "nuget.config", "NuGet.Config", "global.json"],
  ...["Directory.Packages.props", "Directory.Build.props", "paket.dependencies", "paket.lock"],
  ...["stack.yaml", "stack.yaml.lock", "cabal.project", "cabal.project.freeze", "build.sbt"],
  ...["conanfile.txt", "conanfile.py", "vcpkg.json", "flake.nix", "flake.lock", "rebar.config"],
  // Versions of tool chains.
  ...[".nvmrc", ".node-version", ".tool-versions", ".python-version", ".ruby-version"],
  ...[".java-version", ".go-version", "mise.toml", ".mise.toml", ".sdkmanrc", "runtime.txt"],
]);

/** Further such files, by pattern. */
const PATTERNS: readonly string[] = [
  ...["**/.yarnrc*", "**/requirements*.txt", "**/requirements/**/*.txt", "**/requirements*.in"],
  ...["**/constraints*.txt", "**/.cargo/config", "**/.cargo/config.toml", "**/*.gradle"],
  ...["**/*.gradle.kts", "**/.mvn/**", "**/*.gemspec", "**/*.podspec", "**/*.cabal", "**/*.csproj"],
  ...["**/*.fsproj", "**/*.vbproj", "**/patches/**", "**/.yarn/patches/**", "**/*.patch"],
  ...["**/.yarn/releases/**", "**/.yarn/plugins/**"],
];

/**
 * Returns a function that tells whether a file determines what a commit's setup makes.
 *
 * @param globs further files of the project, from its settings
 * @param words words of the setup's commands, which may name scripts of the project
 */
export function setupInputs(
  globs: readonly string[],
  words: readonly string[],
): (path: string) => boolean {
  const named = new Set(words.map((word) => posix.normalize(word)));
  const options = { dot: true };
  const isLike = picomatch([...PATTERNS, ...globs], options);
  return (path) => NAMES.has(posix.basename(path)) || named.has(path) || isLike(path);
}
