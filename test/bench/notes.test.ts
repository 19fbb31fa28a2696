import { expect, test } from "vitest";
import { activitiesOf, cpuOfTimes } from "../../bench/notes.js";

test("two turns of one purpose at the same time each keep their own end", () => {
  const text = [
    "begin 1.000 review-milestone",
    "begin 1.100 review-milestone",
    "end 1.500 review-milestone 1.100",
    "end 2.000 review-milestone 1.000",
    "",
  ].join("\n");
  expect(activitiesOf(text)).toEqual([
    { purpose: "review-milestone", beganMs: 1_000, endedMs: 2_000 },
    { purpose: "review-milestone", beganMs: 1_100, endedMs: 1_500 },
  ]);
});

test("what has not ended has no end, and a line that is still being written is not read", () => {
  expect(activitiesOf("begin 1.000 build\nend 2.000 bu")).toEqual([
    { purpose: "build", beganMs: 1_000, endedMs: NaN },
  ]);
});

test("what began first comes first, in whatever order it was noted", () => {
  const began = activitiesOf("begin 2.000 test\nbegin 1.000 command\n").map(
    ({ purpose }) => purpose,
  );
  expect(began).toEqual(["command", "test"]);
});

test("the CPU that bash prints counts user and system, of the shell and of its children", () => {
  expect(cpuOfTimes("0m0.002s 0m0.001s\n1m0.250s 0m0.047s\n")).toBeCloseTo(60_300);
});
