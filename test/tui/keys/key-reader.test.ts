import { expect, test } from "vitest";
import type { Key } from "../../../src/tui/key.ts";
import { ESCAPE_MS, KeyReader, SEQUENCE_MS } from "../../../src/tui/keys/key-reader.ts";
import { VirtualTime } from "../../rig/virtual-time.ts";

/** A reader in virtual time, and what it has pressed so far. */
function reader() {
  const time = new VirtualTime();
  const pressed: (readonly Key[])[] = [];
  const keys = new KeyReader((together) => void pressed.push(together), time.scheduler);
  return { keys, pressed, time };
}

test("Escape alone counts after a short pause, and nothing is pressed before", async () => {
  const { keys, pressed, time } = reader();
  keys.read("\u001B");
  await time.advanceTo(ESCAPE_MS - 1);
  expect(pressed).toEqual([]);
  await time.advanceTo(ESCAPE_MS);
  expect(pressed).toEqual([[{ kind: "escape" }]]);
});

test("an arrow whose bytes arrive one by one is that arrow", async () => {
  const { keys, pressed, time } = reader();
  keys.read("\u001B");
  await time.advanceTo(ESCAPE_MS - 1);
  keys.read("[");
  await time.advanceTo(3 * ESCAPE_MS);
  keys.read("A");
  await time.advanceTo(10 * SEQUENCE_MS);
  expect(pressed).toEqual([[{ kind: "up" }]]);
});

test("a sequence that does not go on is given up, and what follows is typed", async () => {
  const { keys, pressed, time } = reader();
  keys.read("\u001B[1;");
  await time.advanceTo(SEQUENCE_MS);
  keys.read("5");
  // Alt with a letter that could begin a terminal's reply.
  keys.read("\u001BP");
  await time.advanceTo(SEQUENCE_MS + ESCAPE_MS);
  keys.read("q");
  expect(pressed).toEqual([[{ kind: "text", text: "5" }], [{ kind: "text", text: "q" }]]);
});

test("a paste may take long as long as it goes on, and ends after a pause if its end is lost", async () => {
  const { keys, pressed, time } = reader();
  keys.read("\u001B[200~one");
  await time.advanceTo(SEQUENCE_MS - 1);
  keys.read("\rtwo");
  await time.advanceTo(2 * SEQUENCE_MS - 2);
  expect(pressed).toEqual([]);
  await time.advanceTo(2 * SEQUENCE_MS - 1);
  expect(pressed).toEqual([[{ kind: "paste", text: "one\ntwo" }]]);
});

test("a reader that was closed presses nothing any more", async () => {
  const { keys, pressed, time } = reader();
  keys.read("\u001B");
  keys.close();
  await time.advanceTo(10 * SEQUENCE_MS);
  expect(pressed).toEqual([]);
});
