/** Sections that tools need and that hold no secrets. */
const KEPT = new Set([
  ...["user", "filter", "diff", "difftool", "merge", "mergetool", "init", "core", "color"],
  ...["advice", "safe", "column", "rerere", "commit", "status", "log", "format", "i18n"],
]);
/** Keys in those sections that run a program, or that are only meant for a person. */
const LEFT_OUT =
  /^core\.(?:askpass|sshcommand|editor|pager|hookspath|fsmonitor|gitproxy|worktree)$/u;
const LEFT_OUT_KEYS = /password|token|secret/u;

/**
 * The text of a git configuration file with the parts of the user's own that are not secret: no credentials,
 * rewritten URLs (which may carry a token), headers or aliases.
 *
 * @param listed the output of `git config --list -z`: `section.sub.key`, a line feed and the value, then a NUL
 */
export function cleanGitConfig(listed: string): string {
  const lines = listed.split("\0").flatMap((entry) => {
    const [name = "", ...value] = entry.split("\n");
    return lineOf(name, value.join("\n"));
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Whether a filter of the person's own is in that text: a name that sounds like a secret is left out. */
export function isFilterShown(name: string): boolean {
  return cleanGitConfig(`filter.${name}.clean\nrun\0`) !== "";
}

function lineOf(name: string, value: string): readonly string[] {
  const first = name.indexOf(".");
  const last = name.lastIndexOf(".");
  const [section, key] = [name.slice(0, first), name.slice(last + 1)];
  if (first === -1 || !KEPT.has(section) || LEFT_OUT.test(name) || LEFT_OUT_KEYS.test(name)) {
    return [];
  }
  const sub = last > first ? ` ${quoted(name.slice(first + 1, last))}` : "";
  return [`[${section}${sub}]`, `\t${key} = ${quoted(value)}`];
}

function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/gu, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
