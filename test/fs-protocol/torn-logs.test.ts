import { test } from "vitest";
import { TORN_LOG_CLAIMS } from "./torn-log-claims.ts";

/** Of each log; ten times as many are in the long tests. */
const CASES = 200;

test.each(TORN_LOG_CLAIMS)(
  "%s, torn anywhere and read at any time from any cursor, gives its whole records, once each",
  (_, expectWhole) => {
    expectWhole(CASES);
  },
);
