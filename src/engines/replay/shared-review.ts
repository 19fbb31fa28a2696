import type { Turn } from "./cassette.ts";

/** One of several reviewers that share a turn. */
export interface SharingReviewer {
  /** The line that starts its block. */
  readonly head: string;
  /** The prompt without the parts for the other reviewers. */
  readonly prompt: string;
}

const HEAD = /^ {4}(\[Review\] (\S+) \((\w+)\))$/gmu;

/** The reviewers that share a turn, found in its prompt; empty if there is only one. */
export function sharingReviewers(prompt: string): readonly SharingReviewer[] {
  const heads = [...prompt.matchAll(HEAD)];
  if (heads.length < 2) return [];
  const starts = heads.map(([, , name = "", level = ""]) =>
    prompt.indexOf(`\n## ${name} (${level})\n`),
  );
  const before = prompt.slice(0, heads[0]?.index ?? 0);
  const last = (starts.at(-1) ?? 0) + 1;
  const next = prompt.indexOf("\n## ", last);
  const end = next === -1 ? prompt.length : next;
  return heads.map(([, head = ""], index) => {
    const own = prompt.slice(starts[index], starts[index + 1] ?? end);
    return { head, prompt: `${before}${own}${prompt.slice(end)}` };
  });
}

/** Whether a turn itself labels its answers with reviewers. */
export function namesReviewers({ steps }: Turn): boolean {
  return steps.some(({ act }) => act.print?.includes("[Review]") === true);
}
