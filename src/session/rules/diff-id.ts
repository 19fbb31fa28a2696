import { Oid } from "../../base/oid.ts";

/** What was looked at: a session's work up to a commit. Written `<session>@<full id of the commit>`. */
export interface DiffId {
  readonly session: string;
  readonly head: Oid;
}

/** As people and programs hand it on. */
export function encodeDiffId({ session, head }: DiffId): string {
  return `${session}@${head}`;
}

/** Undefined: it is none. */
export function decodeDiffId(text: string): DiffId | undefined {
  const at = text.lastIndexOf("@");
  const head = Oid.safeParse(text.slice(at + 1));
  return at > 0 && head.success ? { session: text.slice(0, at), head: head.data } : undefined;
}
