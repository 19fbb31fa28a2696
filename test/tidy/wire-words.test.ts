import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { LastMessage } from "../../src/fs-protocol/findings/last-message.ts";
import { encodeFindingsBlock } from "../../src/fs-protocol/findings/findings-block.ts";
import { HOME_FILES, HOME_FOLDERS } from "../../src/fs-protocol/home/catalogue.ts";
import { LOG_SCHEMAS } from "../../src/fs-protocol/home/logs.ts";
import {
  encodeFix,
  encodeFixAccepted,
  encodeFixFailed,
  encodeFixWord,
} from "../../src/fs-protocol/projections/fix-entries.ts";
import { ItemLine } from "../../src/fs-protocol/projections/items-md.ts";
import { SESSION_STATES } from "../../src/session/rules/session-machine.ts";

/** The list of the words; `WISP_REWRITE_TABLE=1` rewrites it, after words were added. */
const LIST = new URL("wire-words.json", import.meta.url);
const REWRITES = process.env["WISP_REWRITE_TABLE"] === "1";

test("the words in files of a home that other programs read match the list", () => {
  const words = {
    paths: [
      ...Object.values(HOME_FILES).map(({ path }) => path),
      ...Object.values(HOME_FOLDERS).map((path) => `${path}/`),
    ],
    states: SESSION_STATES,
    lastWord: linesOf(LastMessage),
    items: linesOf(ItemLine),
    logs: Object.fromEntries(
      Object.entries(LOG_SCHEMAS).map(([log, schema]) => [log, linesOf(schema)]),
    ),
    entries: ENTRIES.flatMap((entry) => headingsOf(entry)),
  };
  if (REWRITES) writeFileSync(LIST, `${JSON.stringify(words, undefined, 2)}\n`);
  expect(words).toEqual(JSON.parse(readFileSync(LIST, "utf8")));
});

const FINDING = {
  id: "COR-7f3a91",
  level: "warning",
  category: "Correctness",
  brief: "The last field is dropped",
  file: "src/parse.js",
  line: 12,
  issue: "A row ends without its last field.",
  suggestion: "Keep it.",
  command: "npm test",
  reviewer: "correctness",
} as const;

const FIX = {
  time: "2026-11-20T12:12:00.000Z",
  reviewer: "correctness",
  id: "COR-7f3a91",
  attempt: 3,
  attemptsMax: 3,
  issue: "The last field is dropped",
  reason: "The test fails.",
};

/** Each entry of PROGRESS.txt that an item can have. */
const ENTRIES = [
  encodeFindingsBlock({ ...FIX, level: "blocking", findings: [] }),
  encodeFindingsBlock({ ...FIX, level: "blocking", findings: [FINDING] }),
  encodeFix({ ...FIX, fixed: "The last field is kept", files: ["src/parse.js"] }),
  encodeFixFailed(FIX),
  encodeFixAccepted({ ...FIX, of: "fixed" }),
  ...(["Unchanged", "Reopened", "Unjudged"] as const).map((word) => encodeFixWord(word, FIX)),
];

/** The lines of an entry that its readers look for: its heading, its sections, the labels in it. */
function headingsOf(entry: string): readonly string[] {
  return entry
    .split("\n")
    .filter((line) => /^\[|^###|^\d+\. \*\*|^ {3}- [A-Z]\w+:|^\d of \d|^---$/u.test(line));
}

/** The part of a JSON Schema that is read here. */
const Shape = z.object({
  type: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), Shape).optional();
  },
  get oneOf() {
    return z.array(Shape).optional();
  },
});
type Shape = z.infer<typeof Shape>;

/** The fields of a schema, one line for each kind of object, with `?` after those that may be absent. */
function linesOf(schema: z.ZodType): readonly string[] {
  const json = Shape.parse(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }));
  return (json.oneOf ?? [json]).map(lineOf);
}

function lineOf({ properties = {}, required = [] }: Shape): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const isOptional = !required.includes(name);
    const values = field.const === undefined ? field.enum : [field.const];
    const value = values === undefined ? "" : `=${values.join("|")}`;
    return `${name}${isOptional ? "?" : ""}${value}`;
  });
  return fields.join(" ");
}
