import { expect, test } from "vitest";
import { HandoverExplorer, SHIPPED } from "./handover.ts";
import { HANDOVERS, type HandoverName } from "./handover-scenarios.ts";
import { PLANTED_HANDOVERS } from "./planted-handover.ts";

const isName = (name: string): name is HandoverName => name in HANDOVERS;
const NAMES = Object.keys(HANDOVERS).filter(isName);
const explored = new Map(
  NAMES.map((name) => [name, new HandoverExplorer(HANDOVERS[name]).explore()]),
);

for (const [name, found] of explored) {
  test(`'${name}': x`, () => {
    console.log(name, found.states);
    expect(found.broken).toBeUndefined();
  });
}
for (const { rule, scenario, invariant, rules } of PLANTED_HANDOVERS) {
  test(`${invariant} is broken in '${scenario}' if ${rule}`, () => {
    const explorer = new HandoverExplorer(HANDOVERS[scenario], { ...SHIPPED, ...rules });
    const { broken, states } = explorer.explore();
    console.log(`${rule}: ${states} ${broken?.trace.length ?? 0} ${broken?.what ?? ""}`);
    expect(broken?.invariant).toBe(invariant);
  });
}
