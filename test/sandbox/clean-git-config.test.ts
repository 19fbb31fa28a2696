import { expect, test } from "vitest";
import { cleanGitConfig } from "../../src/sandbox/clean-git-config.ts";

test("a git configuration keeps only what tools need and what is not secret", () => {
  const listed = [
    "user.name\nA Person",
    'filter.lfs.clean\ngit-lfs clean -- "%f"',
    "url.https://token@example.invalid/.insteadof\nx:",
    "http.https://example.invalid.extraheader\nAUTHORIZATION: basic x",
    "credential.helper\nstore",
    "core.askpass\n/bin/tell",
    "core.autocrlf\ninput",
    "alias.x\n!echo",
    "user.token\nx",
    "",
  ];
  expect(cleanGitConfig(listed.join("\0"))).toBe(
    [
      ...["[user]", '\tname = "A Person"'],
      ...['[filter "lfs"]', '\tclean = "git-lfs clean -- \\"%f\\""'],
      ...["[core]", '\tautocrlf = "input"', ""],
    ].join("\n"),
  );
});
