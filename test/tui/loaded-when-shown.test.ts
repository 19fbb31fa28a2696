import { expect, test } from "vitest";
import { sourceFiles, textOf } from "../tidy/repository.ts";

/** Files outside the layer that load a module of it when they are loaded themselves, types aside. */
function loadersOf(module: string): readonly string[] {
  const loads = new RegExp(`^import (?!type\\b)[^;]*"[^"]*/${module}";$`, "mu");
  return sourceFiles().filter((path) => !path.startsWith("src/tui/") && loads.test(textOf(path)));
}

test("the modules that draw the screen are loaded only when it is shown", () => {
  expect(loadersOf("open-screen.ts")).toEqual([]);
  expect(loadersOf("watch-screen.ts")).toEqual([]);
});
