import { z } from "zod";

const NAME = "the name of a variable, such as DATABASE_URL";
const NAMES = "a list of names of variables such as [DATABASE_URL, MYAPP_*]";

/** Names of variables; a trailing `*` matches any rest. `error` texts complete "expected …". */
export function variableNames(description: string) {
  return z
    .array(z.string({ error: NAME }).regex(/^[A-Za-z_]\w{0,199}\*?$/, { error: NAME }), {
      error: NAMES,
    })
    .max(100, { error: "at most 100 names" })
    .default([])
    .describe(description);
}
