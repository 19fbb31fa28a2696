import type { Turn } from "./cassette.ts";

/** One of several reviewers that share a turn. */
export interface SharingReviewer {
  /** The line that its block begins with. */
  readonly head: string;
  /** The prompt without what the others are told. */
  readonly prompt: string;
}

const HEAD = /^ {4}(\[Review\] (\S+) \((\w+)\))$/gmu;

/** The reviewers of a turn that several share, by its prompt; none where one is asked alone. */
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

/** Whether a turn says itself whose blocks its answers are. */
export function namesReviewers({ steps }: Turn): boolean {
  return steps.some(({ act }) => act.print?.includes("[Review]") === true);
}
