import { beforeEach } from "vitest";
import { isUsedUp } from "./share.ts";

// For suites that can be cut off after any test.
beforeEach(({ skip }) => {
  if (isUsedUp()) skip("not in this sample: its share of the time was used up");
});
