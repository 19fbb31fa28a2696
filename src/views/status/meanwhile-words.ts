import type { MeanwhileFact } from "../../fs-protocol/records/meanwhile-record.ts";
import type { Troubles } from "../../session/state/role-troubles.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";

/** How many facts are listed one by one; one sentence counts the rest. */
const SHOWN_MAX = 20;

/** What happened while unsandboxed turns ran, one sentence each, with the words of people first. */
export function meanwhileWords(meanwhile: Troubles["meanwhile"]): readonly string[] {
  const facts = [...meanwhile.filter(isSaid), ...meanwhile.filter((fact) => !isSaid(fact))];
  const sentences = [
    ...new Set(
      facts.map(({ role, ...fact }) =>
        factWords(fact, { who: `the ${role}`, whose: `the ${role}'s` }),
      ),
    ),
  ];
  const rest = sentences.length - SHOWN_MAX;
  return [
    ...sentences.slice(0, SHOWN_MAX),
    ...(rest > 0 ? [`${String(rest)} more such changes: see the roles' logs`] : []),
  ];
}

/** Words of people that appeared while an unsandboxed turn ran. */
export function saidMeanwhile(meanwhile: Troubles["meanwhile"]): readonly string[] {
  return meanwhile.filter(isSaid).map(({ now = "" }) => now);
}

/** One fact as a sentence. wisp cannot tell who did it. `who`, `whose`: the role, such as `it` and `its`. */
export function factWords(
  fact: MeanwhileFact,
  { who, whose }: { readonly who: string; readonly whose: string },
): string {
  const { place, how, rescue } = fact;
  const when =
    fact.during === "command"
      ? `while ${who} ran a command without a sandbox, by the command or by you`
      : `while ${whose} turn ran, by its engine or by you`;
  if (how === "said") return `said ${when}: ${fact.now ?? ""}`;
  const [, commit] = /^commit ([0-9a-f]{40,64})$/u.exec(place) ?? [];
  if (commit !== undefined) {
    return `commit ${shortSha(commit)}, which no role made, was added to ${fact.now ?? "the session branch"} ${when}`;
  }
  const name = placeWords(place);
  const kept = rescue === undefined ? "" : `, kept as ${rescue}`;
  const values = [
    ...(fact.was === undefined ? [] : [`was ${valueWords(fact.was)}${kept}`]),
    ...(fact.now === undefined ? [] : [`is ${valueWords(fact.now)}`]),
  ];
  const detail = values.length === 0 ? "" : ` (${values.join(", ")})`;
  return `${name} was ${how} ${when}${detail}`;
}

function placeWords(place: string): string {
  if (place === "HEAD" || place.startsWith("refs/")) return place;
  return place.startsWith("./") ? `${place.slice(2)} in your checkout` : `.git/${place}`;
}

function isSaid({ how }: MeanwhileFact): boolean {
  return how === "said";
}

function valueWords(value: string): string {
  return /^[0-9a-f]{40,64}$/u.test(value) ? shortSha(value) : value;
}
