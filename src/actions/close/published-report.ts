import { redactorOf } from "../../agents/recording/redact.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { publicReport } from "../../views/report/public-report.ts";
import { readReport } from "../../views/report/read-report.ts";
import type { ReportView } from "../../views/report/report-view.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";

/** Stands for a place on this machine. */
const LOCAL = "(a local path)";
/** Places below these are those of a person or a machine, not of the project. */
const LOCAL_PATH =
  /(?<![\w.~/-])(?:~|\/(?:home|Users|root|tmp|var|private|mnt|media|run|srv|opt))\/[^\s"'`()<>|,;]+/gu;

/**
 * The lines of the report that go into the pull request, if the session's settings ask for that; else none. They
 * come from the record alone: without prompts and engine output, without places on this machine, and without
 * whatever looks like a secret.
 */
export async function publishedReport(
  world: World,
  found: FoundSession,
): Promise<readonly string[]> {
  if (found.session.report?.publish !== true) return [];
  return publicReport(cleaned(await readReport(world, found), cleanerOf(world, found.session)));
}

/** Removes from a text what is nobody's but this machine's or this person's. */
export function cleanerOf(
  { env }: Pick<World, "env">,
  { repository, state }: Pick<SessionJson, "repository" | "state">,
): (text: string) => string {
  const redact = redactorOf(env);
  // A shorter place could be the begin of a longer one.
  const places = [repository, state, env["HOME"] ?? ""]
    .filter((place) => place.length > 1)
    .sort((one, other) => other.length - one.length);
  return (text) =>
    places
      .reduce((rest, place) => rest.replaceAll(place, LOCAL), redact(text))
      .replaceAll(LOCAL_PATH, LOCAL);
}

/** The report with everything in it cleaned that models, people and files have said and the public form shows. */
function cleaned(view: ReportView, clean: (text: string) => string): ReportView {
  const ifAny = (text: string | undefined) => (text === undefined ? undefined : clean(text));
  return {
    ...view,
    milestones: view.milestones.map((one) => ({ ...one, name: clean(one.name) })),
    items: view.items.map((item) => ({
      ...item,
      brief: clean(item.brief),
      place: clean(item.place),
      dismissal: ifAny(item.dismissal),
    })),
    cost: view.cost.map((table) => ({
      ...table,
      rows: table.rows.map((one) => ({ ...one, name: ifAny(one.name) })),
    })),
  };
}
