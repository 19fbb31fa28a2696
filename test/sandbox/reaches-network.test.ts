import { expect, test } from "vitest";
import { reachesNetwork } from "../../src/sandbox/sandbox-setting.ts";

test.each([
  ["as the settings say: on", true, {}, true],
  ["as the settings say: off", false, {}, false],
  ["a setup has it anyway", false, { needsNetwork: true }, true],
  [
    "a loopback of its own is all there is, whatever the settings say",
    true,
    { hasOwnLoopback: true },
    false,
  ],
  ["nor does setup's need add to that", true, { hasOwnLoopback: true, needsNetwork: true }, false],
])("the network of a command: %s", (_why, network, confinement, reached) => {
  expect(reachesNetwork({ network }, confinement)).toBe(reached);
});
