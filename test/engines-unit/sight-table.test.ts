import { expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { CLIS } from "../engines/installed.ts";
import { rowsInDocument } from "../engines/sight-table.ts";

// `npm run test:engines` compares the rows with the CLIs themselves.
test.each(CLIS)("%s: ENGINES.md says for every role what it can read", (cli) => {
  const rows = rowsInDocument(cli);
  expect(rows.flatMap(([, roles = ""]) => roles.split(", ")).sort()).toEqual([...ROLES].sort());
  for (const [, , request, diff] of rows) expect(`${request} ${diff}`).not.toContain("not ");
});
