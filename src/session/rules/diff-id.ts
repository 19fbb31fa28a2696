import { Oid } from "../../base/oid.ts";

/**
 * Identifies the work that a person reviewed: a session's work up to a commit. Written
 * `<session>@<full id of the commit>`.
 */
export interface DiffId {
  readonly session: string;
  readonly head: Oid;
}

/** Encodes an id for people and other programs. */
export function encodeDiffId({ session, head }: DiffId): string {
  return `${session}@${head}`;
}

/** Decodes an id; undefined if the text is not one. */
export function decodeDiffId(text: string): DiffId | undefined {
  const at = text.lastIndexOf("@");
  const head = Oid.safeParse(text.slice(at + 1));
  return at > 0 && head.success ? { session: text.slice(0, at), head: head.data } : undefined;
}
