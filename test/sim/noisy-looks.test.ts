import { test } from "vitest";
import { noisyCampaign } from "./campaign.ts";
import { SimBundle } from "./sim-bundle.ts";

test("try", async () => {
  await using bundle = await SimBundle.build();
  const one = process.env["WISP_SIM_SEED"];
  if (one !== undefined) {
    const [r] = await bundle.simulateNoisily({
      from: Number(one),
      count: 1,
      rate: Number(process.env["RATE"]),
      isTraced: true,
    });
    console.log(r?.trace?.filter((l) => /^ {4}\S/.test(l)).join("\n"));
    console.log({ ...r, trace: undefined });
    return;
  }
  for (const rate of (process.env["RATE"] ?? "0.01,0.05,0.2").split(",").map(Number)) {
    const all = await noisyCampaign(bundle, rate, {
      from: Number(process.env["FROM"] ?? 1),
      count: Number(process.env["COUNT"] ?? 20),
    });
    const tally: Record<string, number> = {};
    for (const s of all) {
      const k = `${s.runner} ${s.ending}`;
      tally[k] = (tally[k] ?? 0) + 1;
    }
    console.log(
      rate,
      tally,
      "runs",
      all.reduce((a, s) => a + s.runs, 0) / all.length,
      "lost",
      all.reduce((a, s) => a + s.lost, 0),
      "troubles",
      all.reduce((a, s) => a + s.troubles, 0),
    );
    for (const s of all)
      for (const w of s.wrongs)
        console.log(s.seed, rate, s.runner, s.ending, w.invariant, w.what.slice(0, 600));
    for (const s of all)
      if (s.question && process.env["Q"]) console.log(s.seed, s.runner, s.question);
  }
});
