import fc from "fast-check";
import { expect, test } from "vitest";
import { hiddenOrders, switchedOff } from "../../../src/evidence/strange/strange-lines.ts";
import type { PatchedFile } from "../../../src/base/ports/patches.ts";

/** Keeps texts apart that a scanner of this repository would take for real ones. */
const GAP = "";

const RLO = String.fromCodePoint(0x202e);
const LRI = String.fromCodePoint(0x2066);

function file(
  path: string,
  added: readonly string[],
  removed: readonly string[] = [],
): PatchedFile {
  return { path, added: added.map((text, at) => ({ line: at + 5, text })), removed };
}

test("lines with characters that reorder text are named once for each file", () => {
  const own = file("a.c", ["int a;", `/* ${RLO} } ${LRI}if (admin) */`, `x${LRI}`]);
  expect(hiddenOrders([own])).toEqual([{ path: "a.c", line: 6, count: 2 }]);
  expect(hiddenOrders([file("he.po", [`\u200eשלום\u200f`])])).toEqual([]);
});

test("a line that had them before is not named, but one with more of them is", () => {
  expect(hiddenOrders([file("a", [`new ${RLO}`], [`old ${RLO}`])])).toEqual([]);
  expect(hiddenOrders([file("a", [`new ${RLO}${LRI}`], [`old ${RLO}`])])).toHaveLength(1);
  expect(hiddenOrders([file("a", [`1${RLO}`, `2${RLO}`], [`1${RLO}`])])).toHaveLength(1);
});

test.each([
  [`// eslint-${GAP}disable-next-line no-alert`, "eslint-disable-next-line"],
  [`/* eslint-${GAP}disable */`, "eslint-disable"],
  [`  {/* // @ts-${GAP}ignore */}`, "@ts-ignore"],
  [`// @ts-${GAP}nocheck`, "@ts-nocheck"],
  [`// @ts-${GAP}expect-error because`, "@ts-expect-error"],
  [`x = f()  # type: ${GAP}ignore[arg]`, "type: ignore"],
  [`import os  # ${GAP}noqa: F401`, "noqa"],
  [`# ruff: ${GAP}noqa`, "ruff: noqa"],
  [`# pylint: ${GAP}disable=all`, "pylint: disable"],
  [`x := 1 //${GAP}nolint:errcheck`, "nolint"],
  [`#![${GAP}allow(warnings)]`, "#![allow"],
  [`# rubocop:${GAP}disable Lint`, "rubocop:disable"],
  [`// phpcs:${GAP}ignore`, "phpcs:ignore"],
  [`@Suppress${GAP}Warnings("all")`, "@SuppressWarnings"],
  [`// biome-${GAP}ignore lint: x`, "biome-ignore"],
  [`// deno-lint-${GAP}ignore no-explicit-any`, "deno-lint-ignore"],
])("%s switches something off", (line, word) => {
  expect(switchedOff([file("a", [line])])).toEqual([{ path: "a", count: 1, words: [word] }]);
  expect(switchedOff([file("a", [`${line} moved`], [line])])).toEqual([]);
  expect(switchedOff([file("README.md", [line])])).toEqual([]);
});

test.each([
  "const name = 'eslint-disable';",
  "the noqa of flake8",
  "// is ignored",
  "#[allow(x)]",
  "@Suppressed",
])("%s does not", (line) => {
  expect(switchedOff([file("a.ts", [line])])).toEqual([]);
});

test("as many as were there before are never named, in any order", () => {
  const line = fc.constantFrom(`// @ts-${GAP}ignore`, `# ${GAP}noqa`, `a ${RLO}`, "plain", LRI);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const own = file("a.ts", lines, [...lines].reverse());
      expect([...switchedOff([own]), ...hiddenOrders([own])]).toEqual([]);
      const counts = switchedOff([file("a.ts", lines)]).map(({ count }) => count);
      const expected = lines.filter((text) => /^(?:\/\/|#) /u.test(text)).length;
      expect(counts).toEqual(expected === 0 ? [] : [expected]);
    }),
  );
});
