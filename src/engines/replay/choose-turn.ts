import type { Cassette, Turn } from "./cassette.ts";

/** The facts that determine which turn is played. */
export interface TurnFacts {
  readonly purpose: string;
  readonly unit: string;
  readonly attempt: number;
  readonly ask: number;
  readonly milestone: string | undefined;
  readonly finding: string | undefined;
  /** The subject line of the commit that the turn is about; only read if it decides. */
  readonly subject: () => string | undefined;
  /** The prompt; only read if it decides. */
  readonly prompt: () => string;
}

/** The first turn whose conditions all hold, otherwise the default of its purpose. */
export function chooseTurn(cassette: Cassette, facts: TurnFacts): Turn | undefined {
  return cassette.turns.find(({ on }) => holds(on, facts)) ?? cassette.defaults.get(facts.purpose);
}

function holds(on: Turn["on"], facts: TurnFacts): boolean {
  return (
    (on.purpose === undefined || on.purpose === facts.purpose) &&
    (on.attempt === undefined || on.attempt === facts.attempt) &&
    (on.ask === undefined || on.ask === facts.ask) &&
    fits(on.unit, () => facts.unit) &&
    fits(on.milestone, () => facts.milestone) &&
    fits(on.finding, () => facts.finding) &&
    (on.prompt === undefined || facts.prompt().includes(on.prompt)) &&
    fits(on.subject, facts.subject)
  );
}

function fits(pattern: string | undefined, read: () => string | undefined): boolean {
  if (pattern === undefined) return true;
  const value = read();
  return value !== undefined && patternOf(pattern).test(value);
}

function patternOf(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/gu, "\\$&")
    .replace(/\*+/gu, ".*")
    .replace(/\?/gu, ".");
  return new RegExp(`^${source}$`, "su");
}
