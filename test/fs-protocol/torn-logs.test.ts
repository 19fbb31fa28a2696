import { test } from "vitest";
import { TORN_LOG_CLAIMS } from "./torn-log-claims.ts";

/** For each log; the long tests run ten times as many. */
const CASES = 200;

test.each(TORN_LOG_CLAIMS)(
  "%s, torn anywhere and read at any time from any cursor, gives its whole records, once each",
  (_, expectWhole) => {
    expectWhole(CASES);
  },
);
