// How a session ended, and how often it ran the suite, from its files.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ENDS = { 0: "complete", 4: "question", 5: "stuck" };
/** The output of each run of the project's commands has a name of its own: when, what, at which commit. */
const RUN = /^\d[\dT-]+Z-(?!(?:planner|builder|reviewer|tester)-)(.+?)-[0-9a-f]{7,}.*\.out$/u;

/** The end, its reason, and the runs of the suite by kind. */
export function outcomeOf(home, { code, printed }) {
  const turns = join(home, "logs/turns");
  const names = existsSync(turns) ? readdirSync(turns) : [];
  const looks = {};
  for (const [, kind] of names.flatMap((name) => [RUN.exec(name) ?? []])) {
    if (kind !== undefined) looks[kind] = (looks[kind] ?? 0) + 1;
  }
  const end = code === null ? "did not end" : (ENDS[code] ?? `exit ${code}`);
  return { end, code, why: whyOf(code, printed), looks, printed };
}

/** The line that says what a person is asked, or what is in the way. */
function whyOf(code, printed) {
  if (code === 0) return "";
  const lines = printed.trim().split("\n");
  const said = lines.filter((line) =>
    / asks \(|\bis stuck: |^ {2}(?:bugs|findings) .*open/u.test(line),
  );
  return (said.length > 0 ? said.slice(-3) : lines.slice(-1)).join(" ").replace(/\s+/gu, " ");
}
