import { expect, test } from "vitest";
import { documentPlace, documentUri } from "../../src/mcp/resources.ts";

test("the URI of a document leads back to it, also in a revision", () => {
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
])("%s is not the URI of a document", (uri) => {
  expect(documentPlace(uri)).toBeUndefined();
});
