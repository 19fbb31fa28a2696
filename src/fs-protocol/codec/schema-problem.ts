import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/**
 * Describes the first problem that a schema found, beginning with the field: `engines.builder is
 * missing`.
 */
export function schemaProblem({ issues }: Pick<z.ZodError, "issues">): string {
  const [issue] = issues;
  return issue === undefined ? "it is not in its form" : wordsOf(issue);
}

function wordsOf(issue: Issue): string {
  const name = issue.path.map(String).join(".");
  const subject = name === "" ? "it" : name;
  switch (issue.code) {
    case "invalid_type":
      return `${subject} ${typeWords(issue)}`;
    case "invalid_value":
      return `${subject} is not ${issue.values.map(String).join(" or ")}`;
    case "too_small":
      return `${subject} is too small or too short`;
    case "too_big":
      return `${subject} is too large or too long`;
    default:
      return `${subject} is not in the form that it must have`;
  }
}

function typeWords({ expected, message }: Extract<Issue, { code: "invalid_type" }>): string {
  // Zod reports the type of the value that it found only in the message.
  const received = /received (\w+)/u.exec(message)?.[1];
  const wanted = withArticle(expected);
  if (received === undefined || received === "undefined")
    return "is missing, or is no value of JSON";
  return `is ${withArticle(received)}, where ${wanted} belongs`;
}

function withArticle(type: string): string {
  if (type === "null" || type === "undefined") return "nothing";
  const word = type === "record" ? "object" : type === "int" ? "whole number" : type;
  return /^[aeiou]/u.test(word) ? `an ${word}` : `a ${word}`;
}
