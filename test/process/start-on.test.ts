import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventually } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { WHOLE_RUN } from "./scenarios.ts";

const VERIFY = `verify: [["test", "!", "-e", "broken"]]\n`;
const PlaceFile = z.object({ mirrors: z.object({ root: z.string() }) });

/** The home of the session at its place. */
function farHome(home: string, session: string): string {
  const text = readFileSync(join(home, "place.json"), "utf8");
  const { root } = PlaceFile.parse(JSON.parse(text)).mirrors;
  return join(root, "repository/.wisp/sessions", session);
}

/** The files of a home that a mirror has, with their contents. */
function contents(home: string): Readonly<Record<string, string>> {
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  const mirrored = names.filter(
    (name) =>
      name !== "place.json" && !name.startsWith("locks") && statSync(join(home, name)).isFile(),
  );
  return Object.fromEntries(
    mirrored.sort().map((name) => [name, readFileSync(join(home, name), "latin1")]),
  );
}

test("a session that is started elsewhere runs there, and all of it arrives here", async () => {
  await using rig = processSession({ scenario: WHOLE_RUN, config: VERIFY });
  rig.write("greeting.md", "# Greeting\n\nSay hello.\n");
  const started = await rig.wisp("start", "greeting.md", "--on", "local", "--yes");
  expect(started).toMatchObject({ code: 0 });
  const home = rig.home("greeting");
  await eventually(() => expect(rig.read("logs/builder.done", "greeting")).toContain("complete|"), {
    signs: () => rig.read("logs/builder.log", "greeting"),
  });
  await eventually(() => expect(contents(home)).toEqual(contents(farHome(home, "greeting"))));
  expect(existsSync(join(home, "session.json"))).toBe(true);

  const far = join(farHome(home, "greeting"), "../../..");
  const head = execFileSync("git", ["rev-parse", "wisp/greeting"], { cwd: far, encoding: "utf8" });
  await eventually(() => expect(rig.git("rev-parse", "wisp/greeting")).toBe(head.trim()));
  const status = await rig.wisp("status", "greeting");
  expect(status.stdout).toContain("complete");
});
