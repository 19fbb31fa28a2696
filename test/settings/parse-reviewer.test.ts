import fc from "fast-check";
import { expect, test } from "vitest";
import { configProblemSentence } from "../../src/settings/config/config-problem.ts";
import { parseReviewer, reviewerJsonSchema } from "../../src/settings/reviewers/parse-reviewer.ts";

function file(settings: string, body = "Look at it."): string {
  return `---\n${settings}\n---\n\n${body}\n`;
}

function problemsOf(text: string): readonly string[] {
  const parsed = parseReviewer("sql", text);
  return parsed.ok ? [] : parsed.failure.map(configProblemSentence);
}

test("reads a reviewer's settings and prompt", () => {
  const text = file(
    [
      "level: warning",
      "languages: [sql, python]",
      'paths: ["db/**", "!db/seed/**"]',
      "when: both",
      "engine: codex",
      "model: gpt-5.2-codex",
    ].join("\n"),
    "Look for full scans.\n\n---\n\nNot in tests.",
  );
  expect(parseReviewer("sql", text)).toEqual({
    ok: true,
    value: {
      name: "sql",
      level: "warning",
      languages: ["sql", "python"],
      paths: ["db/**", "!db/seed/**"],
      when: "both",
      engine: "codex",
      model: "gpt-5.2-codex",
      prompt: "Look for full scans.\n\n---\n\nNot in tests.",
    },
  });
});

test("requires only the level; a reviewer reviews milestones by default", () => {
  expect(parseReviewer("sql", file("level: blocking"))).toEqual({
    ok: true,
    value: { name: "sql", level: "blocking", when: "milestone", prompt: "Look at it." },
  });
});

test("reports all mistakes at once, with their places and suggestions", () => {
  const text = file("# the tables\nlevel: blokking\nlangs: [sql]\nlanguages: [pyton]\npaths: []");
  expect(problemsOf(text)).toEqual([
    '3:8: level: expected one of blocking, warning, suggestion; found "blokking". Did you mean blocking?',
    "4:1: unknown key langs. Known here: engine, languages, level, model, paths, when",
    expect.stringMatching(
      /^5:13: languages\[0\]: expected one of c, .*; found "pyton"\. Did you mean python\?$/,
    ),
    "6:8: paths: expected at least one glob; leave the key out for all files; found an empty list",
  ]);
});

test("reports a missing level", () => {
  expect(problemsOf(file("when: commit"))).toEqual([
    "2:1: level: expected one of blocking, warning, suggestion; found nothing",
  ]);
});

test("refuses globs that lead out of the repository", () => {
  for (const glob of ["/etc/**", "../x", "a/../../x", "!/x"]) {
    expect(problemsOf(file(`level: warning\npaths: ["${glob}"]`))).toHaveLength(1);
  }
});

test("reports missing settings, unterminated settings and a missing prompt", () => {
  expect(problemsOf("Look at it.")).toEqual([
    "1:1: a reviewer begins with a line of three dashes and its settings",
  ]);
  expect(problemsOf("---\nlevel: warning\n")).toEqual([
    "1:1: the settings are not closed: the second line of three dashes is missing",
  ]);
  expect(problemsOf("---\nlevel: warning\n---\n \n")).toEqual([
    "4:1: there is no prompt below the settings; describe what to look for",
  ]);
});

test("a disabled reviewer needs no prompt", () => {
  const text = "---\nlevel: suggestion\nwhen: never\n---\n";
  expect(parseReviewer("docs", text)).toMatchObject({ ok: true, value: { when: "never" } });
});

test("ignores a byte order mark and accepts Windows line ends", () => {
  const text = `\uFEFF${file("level: warning", "One.\nTwo.").replaceAll("\n", "\r\n")}`;
  expect(parseReviewer("sql", text)).toMatchObject({
    ok: true,
    value: { level: "warning", prompt: "One.\nTwo." },
  });
});

test("reports broken YAML with its line in the file", () => {
  expect(problemsOf(file("level: warning\nlevel: blocking"))).toEqual([
    expect.stringMatching(/^3:1: .*unique/),
  ]);
  expect(problemsOf(file("- level"))).toEqual([
    "2:1: the settings: expected a mapping of keys to values; found a list",
  ]);
});

test("removes control sequences from a prompt", () => {
  const parsed = parseReviewer("sql", file("level: warning", "Look\u001b[2J at\u202e it."));
  expect(parsed).toMatchObject({ ok: true, value: { prompt: "Look at it." } });
});

test("any text gives a reviewer or a list of mistakes, and never throws", () => {
  const line = fc.oneof(
    fc.constantFrom("---", "level: warning", "paths: [", "a: &a [*a]", "\t", "? :", "!!x y"),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const parsed = parseReviewer("x", lines.join("\n"));
      if (parsed.ok) return;
      expect(parsed.failure.length).toBeGreaterThan(0);
      for (const problem of parsed.failure) expect(problem.line).toBeGreaterThanOrEqual(1);
    }),
  );
});

test("the schema for editors describes every key", () => {
  const { properties } = reviewerJsonSchema();
  for (const property of Object.values(properties ?? {})) {
    expect(property).toHaveProperty("description");
  }
});
