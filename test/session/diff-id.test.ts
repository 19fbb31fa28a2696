import { expect, test } from "vitest";
import { decodeDiffId, encodeDiffId } from "../../src/session/rules/diff-id.ts";

const HEAD = "a".repeat(40);

test("an id of a diff names a session and a whole commit", () => {
  const id = encodeDiffId({ session: "api/revision-1", head: HEAD });
  expect(id).toBe(`api/revision-1@${HEAD}`);
  expect(decodeDiffId(id)).toEqual({ session: "api/revision-1", head: HEAD });
});

test.each(["", "api", "api@", `@${HEAD}`, "api@abc", `api@${HEAD}x`, `api@--upload-pack=${HEAD}`])(
  "%j is not an id of a diff",
  (text) => {
    expect(decodeDiffId(text)).toBeUndefined();
  },
);
