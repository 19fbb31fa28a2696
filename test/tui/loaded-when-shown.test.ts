import { expect, test } from "vitest";
import { sourceFiles, textOf } from "../tidy/repository.ts";

const LOADERS = ["sessions", "findings", "commits", "plan"] as const;

/** Files outside the layer that load a module of it when they are loaded themselves, types aside. */
function loadersOf(module: string): readonly string[] {
  const loads = new RegExp(`^import (?!type\\b)[^;]*"[^"]*/${module}";$`, "mu");
  return sourceFiles().filter((path) => !path.startsWith("src/tui/") && loads.test(textOf(path)));
}

test("the modules that draw the screen are loaded only when it is shown", () => {
  expect(loadersOf("open-screen.ts")).toEqual([]);
  expect(loadersOf("watch-screen.ts")).toEqual([]);
});

test.each(LOADERS)("the code of the page of %s is loaded only when it is opened", (page) => {
  const loads = new RegExp(`^import (?!type\\b)[^;]*"[^"]*/${page}-(?:loader|page)\\.ts";$`, "mu");
  const loaders = sourceFiles().filter((path) => loads.test(textOf(path)));
  expect(loaders).toEqual([`src/tui/watch/${page}-loader.ts`]);
});
