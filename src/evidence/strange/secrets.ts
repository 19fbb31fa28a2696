import type { Oid } from "../../base/oid.ts";
import type { AddedLine, PatchedCommit, PatchedFile } from "../../base/ports/patches.ts";

/** A secret that commits bring, by its place and its form; never the secret itself. */
export interface FoundSecret {
  readonly path: string;
  /** In the file as the range leaves it, or as the commit left it if the secret was removed since. */
  readonly line: number | undefined;
  readonly form: string;
  /** True if it was removed again: it stays in the history. */
  readonly isGone: boolean;
  readonly commits: readonly Oid[];
}

/**
 * The forms that services themselves document for their tokens, so that hardly anything else looks like one; tokens
 * without such a form (JWTs, passwords) would be guesses. A table, because secretlint, the kept scanner from npm,
 * needs Node 22 and a dozen packages for the same forms.
 */
const FORMS: readonly (readonly [string, RegExp])[] = [
  ["AWS access key", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/gu],
  [
    "GitHub token",
    /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/gu,
  ],
  ["GitLab token", /\bglpat-[A-Za-z0-9_-]{20,}/gu],
  ["Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{20,}/gu],
  ["Stripe key", /\b[sr]k_live_[A-Za-z0-9]{20,}/gu],
  ["Google API key", /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/gu],
  ["npm token", /\bnpm_[A-Za-z0-9]{36}\b/gu],
  ["PyPI token", /\bpypi-AgE[A-Za-z0-9_-]{50,}/gu],
  ["Anthropic API key", /\bsk-ant-[A-Za-z0-9_-]{32,}/gu],
  [
    "OpenAI API key",
    /\bsk-(?!ant-)(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}|[A-Za-z0-9]{48}\b)/gu,
  ],
];

/** What a line must hold for any form to match: most lines are done with one look. */
const ANY_FORM =
  /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|k_live_|AIza|npm_|pypi-|sk-|-----BEGIN /u;

const KEY_HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/u;
/** How many lines after the first one of a key are looked at; some have headers of their own. */
const KEY_LINES = 5;
const KEY_BODY = /[A-Za-z0-9+/]{20}/u;

interface Seen {
  readonly form: string;
  readonly value: string;
  readonly line: number | undefined;
}

/**
 * The secrets that a range brings. What was there before, also in another file, is no new one; one that was removed
 * again is named, because it stays in the history. Placeholders and examples of documentation are none.
 */
export function findSecrets(
  commits: readonly PatchedCommit[],
  net: readonly PatchedFile[],
): readonly FoundSecret[] {
  const known = new Set<string>();
  const found = new Map<string, FoundSecret>();
  for (const { sha, files } of commits) {
    const former = files.flatMap(formerTokens).filter((value) => !found.has(value));
    for (const value of former) known.add(value);
    const fresh = files.flatMap(secretsIn).filter(({ value }) => !known.has(value));
    for (const { value, path, line, form } of fresh.filter((one) => !found.has(one.value)))
      found.set(value, { path, line, form, isGone: true, commits: [sha] });
  }
  const now = net.flatMap((file) => {
    const before = new Set(formerTokens(file));
    return secretsIn(file).filter(({ value }) => !known.has(value) && !before.has(value));
  });
  for (const { value, path, line, form } of now)
    found.set(value, { path, line, form, isGone: false, commits: found.get(value)?.commits ?? [] });
  return [...found.values()].sort(byPlace);
}

/** The tokens in lines that a change takes away. */
function formerTokens({ removed }: PatchedFile): readonly string[] {
  return removed.flatMap((text) => tokensIn({ line: 0, text }).map(({ value }) => value));
}

function byPlace(one: FoundSecret, other: FoundSecret): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
}

function secretsIn({ path, added }: PatchedFile): readonly (Seen & { readonly path: string })[] {
  const whole: readonly Seen[] =
    isEnvironment(path) && added.length > 0
      ? [{ form: "environment file", value: `file ${path}`, line: undefined }]
      : [];
  const lines = added.flatMap((line, at) => [...tokensIn(line), ...keysIn(added, at)]);
  return [...whole, ...lines].map((one) => ({ ...one, path }));
}

/** `.env` and `.env.production`, but not the templates of one. */
function isEnvironment(path: string): boolean {
  const [name = ""] = /[^/]*$/u.exec(path) ?? [];
  return /^\.env(?:\.|$)/iu.test(name) && !/\.(?:example|sample|template|dist)$/iu.test(name);
}

function tokensIn({ line, text }: AddedLine): readonly Seen[] {
  if (!ANY_FORM.test(text)) return [];
  return FORMS.flatMap(([form, pattern]) =>
    [...text.matchAll(pattern)]
      .map(([value]) => ({ form, value, line }))
      .filter(({ value }) => !isPlaceholder(value)),
  );
}

/** A private key is named by its first line, if something like a key follows. */
function keysIn(added: readonly AddedLine[], at: number): readonly Seen[] {
  const { line = 0, text = "" } = added[at] ?? {};
  const head = text.includes("-----BEGIN ") ? KEY_HEAD.exec(text) : null;
  if (head === null) return [];
  const rest = added.slice(at + 1, at + 1 + KEY_LINES).map((next) => next.text);
  const [body] = KEY_BODY.exec([text.slice(head.index + head[0].length), ...rest].join("\n")) ?? [];
  return body === undefined ? [] : [{ form: "private key", value: `key ${body}`, line }];
}

/** The fewest different characters of a random token; `xxxx…` and `0000…` have fewer. */
const CHARACTERS_MIN = 8;

function isPlaceholder(value: string): boolean {
  if (/example|abcdefgh|12345678|placeholder|your[_-]?/iu.test(value)) return true;
  return new Set(value.slice(value.search(/[_-]/u) + 1)).size < CHARACTERS_MIN;
}
