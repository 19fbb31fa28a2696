import { expect, test } from "vitest";
import { HandoverExplorer, type HandoverScenario } from "./handover.ts";

export const SCENARIOS: Readonly<Record<string, HandoverScenario>> = {
  rented: { isBKept: false, moves: 2, records: 1, pending: 2 },
};
test.each(Object.entries(SCENARIOS))("%s", (_name, scenario) => {
  const t = Date.now();
  const { broken, states, steps } = new HandoverExplorer(scenario).explore();
  console.log(states, Date.now() - t, [...steps].join());
  expect(broken).toBeUndefined();
});
