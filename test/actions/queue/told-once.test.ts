import { expect, test } from "vitest";
import { toldOnce } from "../../../src/actions/queue/told-once.ts";

test("what tries of the queue say again and again is told once, and something else at once", () => {
  const told: string[] = [];
  const tell = toldOnce((text) => void told.push(text));
  for (const text of ["a: no room", "a: no room", "b: no room", "a: no room", "a: started"])
    tell(text);
  expect(told).toEqual(["a: no room", "b: no room", "a: started"]);
});

test("it remembers no more than a limit, after which a text may be told once more", () => {
  const told: string[] = [];
  const tell = toldOnce((text) => void told.push(text));
  for (let number = 0; number <= 10_000; number += 1) tell(String(number));
  tell("0");
  tell("0");
  expect(told.filter((text) => text === "0")).toHaveLength(2);
});
