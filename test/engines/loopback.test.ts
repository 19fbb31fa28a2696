import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import { expect, test } from "vitest";

/** `loopback` if `run.js` has created a network of its own; otherwise the reason why it has not. */
const network = process.env["WISP_TEST_NETWORK"] ?? "it was not started by npm run test:engines";
const isAlone = network === "loopback";

/** An address of a block that is reserved for documentation. */
const ELSEWHERE = { host: "192.0.2.1", port: 443 };

const left = isAlone ? "" : ` (not looked at: ${network})`;

test.skipIf(!isAlone)(`no network but loopback can be reached${left}`, async () => {
  expect(Object.keys(networkInterfaces())).toEqual(["lo"]);
  const refused = new Promise((resolve) => connect(ELSEWHERE).once("error", resolve));
  expect(await refused).toMatchObject({ code: "ENETUNREACH" });
});
