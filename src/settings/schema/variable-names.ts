import { z } from "zod";

const NAME = "the name of a variable, such as DATABASE_URL";
const EXACT_NAME = "the whole name of a variable, such as PORT";
const EXACT_NAMES = "a list of names of variables such as [PORT, API_PORT]";
const NAMES = "a list of names of variables such as [DATABASE_URL, MYAPP_*]";

/** Names of variables, in full. */
export function exactVariableNames(description: string) {
  return z
    .array(z.string({ error: EXACT_NAME }).regex(/^[A-Za-z_]\w{0,199}$/, { error: EXACT_NAME }), {
      error: EXACT_NAMES,
    })
    .max(100, { error: "at most 100 names" })
    .default([])
    .describe(description);
}

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
