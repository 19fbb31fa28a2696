import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import type { Place, PlaceState } from "../../base/ports/executor.ts";

/** An id is passed on as one word, before which an executable may have options. */
const ID = /^(?!-)\P{Cc}{1,256}$/u;
/** A root is put before paths, and is removed in the end: neither the whole system nor a way back out of it. */
const ROOT = /^\/(?!$)(?!.*\/\.\.?(?:\/|$))\P{Cc}{1,1000}$/u;

/** The line that `create` of a command executor prints. */
const Created = lateObject(() => ({
  id: z.string().regex(ID, "an id is 1 to 256 characters, no control characters, no hyphen first"),
  root: z.string().regex(ROOT, "a root is an absolute path of a directory, without . and .."),
}));

const Told = lateObject(() => ({
  state: z.enum(["up", "waiting", "down", "gone"]),
  reason: z.string().optional(),
}));

/** The place that a line of `create` names, or why the line does not name one. */
export function placeIn(line: string): Place | string {
  const read = Created.safeParse(parsed(line));
  return read.success ? { id: read.data.id, root: read.data.root } : whyNot(read.error);
}

/** The state that a line of `status` tells, or why the line tells none. */
export function stateIn(line: string): PlaceState | string {
  const read = Told.safeParse(parsed(line));
  if (!read.success) return whyNot(read.error);
  const { state, reason = "" } = read.data;
  if (state === "up" || state === "gone") return { kind: state };
  return { kind: state, reason: reason === "" ? `it is ${state}` : reason };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function whyNot({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined || issue.path.length === 0) return "one line with a JSON object is due";
  return `${issue.path.join(".")}: ${issue.message}`;
}
