import { filesOf, homeFile, LINE_FILE_NAMES } from "../../fs-protocol/home/catalogue.ts";
import { LINE_CODECS } from "../../fs-protocol/projections/line-codecs.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { expectedProjections } from "../../agents/home-projections.ts";
import { need } from "../../base/fatal.ts";
import { sha256 } from "../../base/sha256.ts";
import type { Files } from "../../base/ports/files.ts";
import type { BlocksFile } from "../../session/check/check-blocks.ts";
import type { OwnedProjection } from "../../session/check/check-home.ts";
import { expectedTasks, recordedPlans, type PlanFiles } from "../../session/check/check-plans.ts";
import type { ProjectionFile } from "../../session/check/check-projection.ts";
import { parentHome, planPath, type Home } from "../../fs-protocol/home/home.ts";
import type { HomeLogs } from "../../fs-protocol/home/logs.ts";
import { compareTasks } from "../../session/rules/compare-tasks.ts";
import { badLine } from "../../fs-protocol/codec/bad-line.ts";
import { decodeRevision } from "../../fs-protocol/projections/revisions-log.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { encodeStuckHint } from "../../session/state/stuck-hint.ts";

/** The files of a home that are derived from its logs, with their actual and expected content. */
export interface HomeFiles {
  readonly projections: readonly OwnedProjection[];
  readonly progress: BlocksFile;
  readonly plans: PlanFiles;
  readonly tasks: string | undefined;
  readonly expectedTasks: string | undefined;
  readonly isTasksEdited: boolean;
  readonly stuckHint: string | undefined;
  readonly expectedHint: string | undefined;
  readonly requestDigest: string | undefined;
}

/** The longest is PROGRESS.txt. */
const PROJECTION_BYTES_MAX = 256 * 1024 * 1024;

/** Reads them, without writing anything. Throws `CannotGoOn` if one cannot be read. */
export function readHomeFiles(
  files: Files,
  home: Home,
  session: SessionJson,
  logs: HomeLogs,
): HomeFiles {
  const byPath = new Map<string, string[]>();
  for (const { path, text } of expectedProjections(home, session, logs)) {
    byPath.set(path, [...(byPath.get(path) ?? []), text]);
  }
  const request = need(files.read(home.request, PROJECTION_BYTES_MAX));
  const plans = readPlans(files, home, logs);
  const tasks = need(compareTasks(files, home, session));
  return {
    projections: [
      ...kindsOf(home, session).map((kind) => {
        const bytes = need(files.read(kind.path, PROJECTION_BYTES_MAX));
        const expected = (byPath.get(kind.path) ?? []).map((text) => text.replace(/\n$/, ""));
        const isOrdered = kind.owners.length === 1;
        return { ...kind, bytes, expected: isOrdered ? expected : inOrderOf(bytes, expected) };
      }),
      revisionsOf(files, home),
    ],
    progress: {
      path: home.progress,
      text: textOf(files, home.progress) ?? "",
      expected: byPath.get(home.progress) ?? [],
    },
    plans,
    tasks: tasks.text,
    expectedTasks: expectedTasks(tasks, plans),
    isTasksEdited: tasks.status === "edited",
    stuckHint: textOf(files, home.stuckHint),
    expectedHint: tasks.builder.lastHint && encodeStuckHint(tasks.builder.lastHint),
    requestDigest: request && sha256(request),
  };
}

/** No log records in which order several writers wrote: their lines may be in any order. */
function inOrderOf(bytes: Uint8Array | undefined, expected: readonly string[]): readonly string[] {
  const missing = [...expected];
  const present = new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => {
      const at = missing.indexOf(line);
      if (at >= 0) missing.splice(at, 1);
      return at >= 0;
    });
  return [...present, ...missing];
}

type Kind = Pick<ProjectionFile, "path" | "decode" | "isOpenToPeople"> & {
  readonly owners: readonly Role[];
};

function kindsOf(home: Home, { parent }: SessionJson): readonly Kind[] {
  const own = LINES_BY_WRITER.map((name) => {
    const { writers, isOpenToPeople } = homeFile(name);
    const owners = ROLES.filter((role) => writers.includes(role));
    return { path: home[name], owners, isOpenToPeople, decode: LINE_CODECS[name].decode };
  });
  return [...own, ...(parent === undefined ? [] : [toldParent(home, parent.revision)])];
}

/** The files that one role writes, role by role, followed by those that several write. */
const LINES_BY_WRITER = [
  ...ROLES.flatMap((role) => LINE_FILE_NAMES.filter((name) => filesOf(role).includes(name))),
  ...LINE_FILE_NAMES.filter((name) => homeFile(name).writers.length > 1),
];

/** A revision's line in its parent's log, which also holds lines of other revisions. */
function toldParent(home: Home, revision: number): Kind {
  return {
    path: parentHome(home).revisions,
    owners: ["builder"],
    isOpenToPeople: true,
    decode: (line) => {
      const decoded = decodeRevision(line);
      if (!decoded.ok || decoded.value.number === revision) return decoded;
      return badLine("it is of another revision");
    },
  };
}

/** What revisions have reported to this session: one line for each number, and nothing else. */
function revisionsOf(files: Files, { revisions: path }: Home): OwnedProjection {
  const bytes = need(files.read(path, PROJECTION_BYTES_MAX));
  const lines = Buffer.from(bytes ?? [])
    .toString("utf8")
    .split("\n")
    .slice(0, -1);
  const byNumber = new Map<number, string>();
  for (const line of lines) {
    const decoded = decodeRevision(line);
    if (decoded.ok && !byNumber.has(decoded.value.number)) byNumber.set(decoded.value.number, line);
  }
  const expected = [...byNumber.values()];
  return {
    path,
    bytes,
    expected,
    decode: decodeRevision,
    isOpenToPeople: false,
    owners: ["builder"],
  };
}

function readPlans(files: Files, home: Home, logs: HomeLogs): PlanFiles {
  const plans = new Map<string, { readonly text: string; readonly digest: string }>();
  // A name that is not a digest is not a plan's, and no path is built from it.
  for (const plan of [...recordedPlans(logs)].filter((name) => /^[0-9a-f]{64}$/.test(name))) {
    const bytes = need(files.read(planPath(home, plan)));
    if (bytes === undefined) continue;
    plans.set(plan, { text: new TextDecoder().decode(bytes), digest: sha256(bytes) });
  }
  return plans;
}

function textOf(files: Files, path: string): string | undefined {
  const bytes = need(files.read(path, PROJECTION_BYTES_MAX));
  return bytes && new TextDecoder().decode(bytes);
}
