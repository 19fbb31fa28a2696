import { readdirSync, readFileSync } from "node:fs";
import { test } from "vitest";
import { cleanText } from "../../src/base/words/clean-text.ts";
import { failingTests } from "../../src/evidence/verify/failing-tests.ts";
test("print", () => {
  const d = new URL("../fixtures/runners/", import.meta.url);
  for (const f of readdirSync(d)) {
    const output = cleanText(readFileSync(new URL(f, d), "utf8"), { charsMax: 1e6, lines: "many" });
    const { failing, tally } = failingTests({ output, isCut: false, trees: "/srv/state/app-1/first/verify" });
    console.log(`== ${f} ${JSON.stringify(tally)}\n${(failing ?? []).map((n, i) => `   ${tally?.times?.[i] ?? 1} ${n}`).join("\n")}`);
  }
});
