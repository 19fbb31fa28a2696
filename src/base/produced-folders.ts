/** Folders that tools make, by their names: large, made again at any time, and nobody keeps keys or work in them. */
export const PRODUCED_FOLDERS: ReadonlySet<string> = new Set([
  ...[".git", "node_modules", "vendor", "target", "dist", "build", "out", "coverage"],
  ...[".venv", "venv", "__pycache__", ".next", ".cache", ".wisp", ".tox", ".gradle"],
]);
