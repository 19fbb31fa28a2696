import fc from "fast-check";
import { expect, test } from "vitest";
import {
  mentionedVariables,
  withheldVariables,
} from "../../../src/evidence/verify/withheld-variables.ts";
import type { CommittedText } from "../../../src/base/ports/repo.ts";

const file = (text: string, path = "src/a.js"): CommittedText => ({
  path,
  bytes: Buffer.from(text),
});

test("variables that a command does not see count as withheld, except those of every shell", () => {
  const ours = {
    PATH: "/bin",
    LC_ALL: "C",
    DATABASE_URL: "d",
    PWD: "/x",
    SHLVL: "1",
    NPM_TOKEN: "t",
  };
  const odd = { EMPTY: "", "BASH_FUNC_x%%": "() { :; }", "npm_config_//r/:_authToken": "t" };
  expect(withheldVariables({ ...ours, ...odd }, ["NPM_*"])).toEqual(["DATABASE_URL"]);
  expect(withheldVariables({ ...ours, ...odd }, [])).toEqual(["DATABASE_URL", "NPM_TOKEN"]);
});

test("a variable is mentioned if it is a whole word of a tracked file, in any notation", () => {
  const withheld = ["API_URL", "DATABASE_URL", "PG", "REDIS_URL", "SENTRY_DSN"];
  const files = [
    file("connect(process.env.DATABASE_URL)"),
    file('os.environ["SENTRY_DSN"]; MY_API_URL; API_URLS; PGHOST'),
    file("redis: ${REDIS_URL:-redis://localhost}", "compose.yml"),
  ];
  expect(mentionedVariables(files, withheld)).toEqual(["DATABASE_URL", "REDIS_URL", "SENTRY_DSN"]);
});

test("binary, long and very many files are searched within limits", () => {
  const long = `${" ".repeat(300_000)}DATABASE_URL`;
  expect(mentionedVariables([file(long)], ["DATABASE_URL"])).toEqual([]);
  const bytes = Uint8Array.from([0xff, 0, 0xfe, ...Buffer.from("DATABASE_URL"), 0x80]);
  expect(mentionedVariables([{ path: "a.bin", bytes }], ["DATABASE_URL"])).toEqual([
    "DATABASE_URL",
  ]);
  let asked = 0;
  function* endless(): Generator<CommittedText> {
    for (;;) {
      asked += 1;
      yield file("nothing");
    }
  }
  expect(mentionedVariables(endless(), ["DATABASE_URL"])).toEqual([]);
  expect(asked).toBe(5_000);
  expect(mentionedVariables(endless(), [])).toEqual([]);
  const many = Array.from({ length: 100 }, (_, at) => `VAR_${String(at)}`);
  expect(mentionedVariables([file(many.join("\n"))], many)).toHaveLength(20);
});

test("only withheld names are reported, each once and in order, whatever the files contain", () => {
  const word = fc.constantFrom("A_URL", "B_URL", "A", "_", "A_URLS", "env.A_URL", "$B_URL", "{A}");
  fc.assert(
    fc.property(fc.array(fc.array(word)), fc.uniqueArray(word), (texts, withheld) => {
      const files = texts.map((words) => file(words.join(" ")));
      const told = mentionedVariables(files, withheld);
      const words = new Set(texts.flat().flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []));
      expect(told).toEqual(withheld.filter((name) => words.has(name)).sort());
    }),
  );
});
