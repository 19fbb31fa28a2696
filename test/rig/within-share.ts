import { beforeEach } from "vitest";
import { isUsedUp } from "./share.ts";

// For suites whose tests can be cut anywhere.
beforeEach(({ skip }) => {
  if (isUsedUp()) skip("not in this sample: its share of the time was used up");
});
