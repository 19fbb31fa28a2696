import { expect, test } from "vitest";
import { rootBase } from "../../src/fs-protocol/home/root-base.ts";
import { need } from "../../src/base/fatal.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const [OWN, FIRST, RECORDED] = ["a", "b", "c"].map((letter) => letter.repeat(40));
const PARENT = { id: "one", revision: 2, how: "revise", asked: [], state: "/state/one" } as const;

test("a revision's root is the base of the first session, recorded or from the copy of its session.json", () => {
  const files = new MemoryFiles();
  const session = { base: OWN ?? "", parent: { ...PARENT, asked: [] } };
  expect(rootBase(files, { base: OWN ?? "" })).toBe(OWN);
  expect(rootBase(files, session)).toBe(OWN);
  need(files.makeDirectory("/state/one"));
  need(files.replace("/state/one/session.json", Buffer.from(JSON.stringify({ base: FIRST }))));
  expect(rootBase(files, session)).toBe(FIRST);
  const recorded = { ...session, parent: { ...session.parent, base: RECORDED } };
  expect(rootBase(files, recorded)).toBe(RECORDED);
});
