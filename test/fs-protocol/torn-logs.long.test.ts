import { test } from "vitest";
import { TORN_LOG_CLAIMS } from "./torn-log-claims.ts";

/** For each log: 10,000 cases in all. */
const CASES = 2_000;

test.each(TORN_LOG_CLAIMS)(
  "%s, torn anywhere and read at any time from any cursor, gives its whole records, in 2,000 cases",
  (_, expectWhole) => {
    expectWhole(CASES);
  },
);
