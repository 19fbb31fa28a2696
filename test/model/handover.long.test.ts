import { expect, test } from "vitest";
import { HandoverExplorer, SHIPPED } from "./handover.ts";
import { HANDOVERS, type HandoverName } from "./handover-scenarios.ts";
import { PLANTED_HANDOVERS } from "./planted-handover.ts";

/**
 * Sessions that move between two machines: everything that movers, people, roles and mirrors can do, in any order, with
 * the shipped rules. A step that a mover decided on may be done at once, late, in part, or never: so a mover that was
 * killed, two at once, and a link that is cut are all in it.
 */

const isName = (name: string): name is HandoverName => name in HANDOVERS;
const NAMES = Object.keys(HANDOVERS).filter(isName);
const UNFORCED = NAMES.filter((name) => !("hasForce" in HANDOVERS[name]));
const FORCED = NAMES.filter((name) => !UNFORCED.includes(name));

const explored = new Map<HandoverName, ReturnType<HandoverExplorer["explore"]>>();

function explore(name: HandoverName) {
  const found = explored.get(name) ?? new HandoverExplorer(HANDOVERS[name]).explore();
  explored.set(name, found);
  return found;
}

test.each(UNFORCED)(
  "in all states of '%s' at most one side may write, it has every record once, and the same command ends the move",
  (name) => {
    const { broken, hasTwoOwners, states } = explore(name);
    console.log(`${name}: ${states} states`);
    expect({ broken, hasTwoOwners }).toEqual({ broken: undefined, hasTwoOwners: false });
  },
);

test.each(FORCED)(
  "in '%s' two sides believe to be the owner after --force, until the same command reaches both",
  (name) => {
    const { broken, hasTwoOwners, states } = explore(name);
    console.log(`${name}: ${states} states`);
    expect({ broken, hasTwoOwners }).toEqual({ broken: undefined, hasTwoOwners: true });
  },
);

test("every step of a move is taken in some state", () => {
  const steps = new Set(NAMES.flatMap((name) => [...explore(name).steps]));
  expect([...steps].sort().join(" ")).toBe(
    "append-moved check create destroy done mirror-back own refuse send stop-roles",
  );
});

for (const { rule, scenario, invariant, rules } of PLANTED_HANDOVERS) {
  test(`${invariant} is broken in '${scenario}' if ${rule}`, () => {
    const explorer = new HandoverExplorer(HANDOVERS[scenario], { ...SHIPPED, ...rules });
    const { broken } = explorer.explore();
    expect(broken?.invariant).toBe(invariant);
    expect(broken?.trace.length).toBeGreaterThan(0);
  });
}
