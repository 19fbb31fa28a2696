import { expect, test } from "vitest";
import { documentPlace, documentUri } from "../../src/mcp/resources.ts";

test("the address of a document leads back to it, also of a revision's", () => {
  for (const session of ["greet", "greet/revision-1", "ü @?#%"]) {
    const place = { session, name: "TASKS.md" } as const;
    expect(documentPlace(documentUri(place))).toEqual(place);
  }
});

test.each([
  "wisp://session/greet/session.json",
  "wisp://session/greet/logs/TASKS.md",
  "wisp://session//TASKS.md",
  "wisp://session/%ff/TASKS.md",
  "wisp://session/greet/TASKS.md?x",
  "wisp://other/greet/TASKS.md",
  "file:///etc/passwd",
])("%s is the address of none", (uri) => {
  expect(documentPlace(uri)).toBeUndefined();
});
