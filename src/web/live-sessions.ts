import {
  audit,
  BehaviorSubject,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  finalize,
  from,
  ignoreElements,
  interval,
  lastValueFrom,
  map,
  merge,
  startWith,
  switchMap,
  takeUntil,
  tap,
  timer,
  type Observable,
} from "rxjs";
import { attempted, type WorldFailure } from "../base/fatal.ts";
import {
  WEB_BEAT_MS,
  WEB_MESSAGE_CHARS_MAX,
  WEB_REDRAW_MS,
  WEB_REST_RATIO,
  WEB_SESSIONS_MAX,
  WEB_SESSIONS_WATCHED_MAX,
  WEB_UPDATE_MS,
} from "../base/limits.ts";
import { watchHints } from "../streams/watch-hints.ts";
import { sessionNav, type UnreadSession } from "../views/live/session-nav.ts";
import { liveNote } from "../views/live/live-note.ts";
import { listedSession, listedStatus, type ListedSession } from "../views/next/session-rows.ts";
import { ReportRecords } from "../views/report/report-records.ts";
import { readReport } from "../views/report/read-report.ts";
import { reportHtml } from "../views/report/page/report-page.ts";
import { readStatus } from "../views/status/read-status.ts";
import { stageWords } from "../views/status/stage-words.ts";
import { allSessions, findSession } from "../workspace/find-session.ts";
import { readPresence } from "../workspace/session/read-leases.ts";
import { readState } from "../workspace/session/read-state.ts";
import { sessionsDirectory, workTreeAround, type FoundSession } from "../workspace/sessions.ts";
import type { World } from "../workspace/world.ts";
import type { Audience } from "./audience.ts";
import { eventText } from "./event-client.ts";
import { lookAt, type Look } from "./seen-session.ts";

/** A session as it was last seen, listed and reported. */
interface Seen {
  readonly found: FoundSession;
  look: Look | undefined;
  listed: { readonly look: Look; readonly row: ListedSession | UnreadSession } | undefined;
  reported: { readonly look: Look; readonly atMs: number; readonly text: string } | undefined;
  /** Read on from report to report. */
  records: ReportRecords | undefined;
}

const NO_SESSION = eventText("report", {
  session: "",
  title: "wisp watch",
  html: liveNote("There is no session here yet. To start one: wisp start request.md"),
});

const UNSEEN = { listed: undefined, reported: undefined, records: undefined } as const;

/**
 * Keeps the pages of an audience up to date with the sessions of a repository, and looks at nothing while there is no
 * audience. It reads and never writes; what it reads again is what has changed.
 */
export class LiveSessions {
  readonly #world: World;
  readonly #audience: Audience;
  readonly #asked: string | undefined;
  readonly #directories$ = new BehaviorSubject<readonly string[]>([]);
  #hinted = new Set<string>();
  #sessions = new Map<string, Seen>();
  #damaged: readonly UnreadSession[] = [];
  #olderCount = 0;
  #first: string | undefined;
  /** How long the last update took. */
  #tookMs = 0;

  /** @param asked the session that a page shows first; the newest one by default */
  constructor(world: World, audience: Audience, asked: string | undefined) {
    this.#world = world;
    this.#audience = audience;
    this.#asked = asked;
  }

  /** Works until `end$` emits. */
  async run(end$: Observable<unknown>): Promise<void> {
    const isWatched$ = this.#audience.change$.pipe(
      map(() => !this.#audience.isEmpty),
      distinctUntilChanged(),
    );
    const work$ = isWatched$.pipe(switchMap((isWatched) => (isWatched ? this.#work$() : EMPTY)));
    await lastValueFrom(work$.pipe(ignoreElements(), takeUntil(end$)), { defaultValue: undefined });
  }

  #work$(): Observable<void> {
    const { watcher } = this.#world.host;
    const hint$ = this.#directories$.pipe(
      switchMap((directories) => watchHints(watcher, directories)),
      tap(({ path }) => this.#hinted.add(path)),
      audit(() => timer(Math.max(WEB_UPDATE_MS, this.#tookMs * WEB_REST_RATIO))),
    );
    const beat$ = interval(WEB_BEAT_MS).pipe(
      tap(() => this.#audience.beat()),
      ignoreElements(),
    );
    const change$ = this.#audience.change$.pipe(startWith(undefined));
    return defer(() => {
      this.#list();
      return merge(merge(change$, hint$).pipe(concatMap(() => from(this.#refresh()))), beat$);
    }).pipe(finalize(() => (this.#hinted = new Set())));
  }

  async #refresh(): Promise<void> {
    const { clock } = this.#world.host;
    const beganMs = clock.nowMs();
    await this.#update();
    this.#tookMs = Math.max(0, clock.nowMs() - beganMs);
  }

  async #update(): Promise<void> {
    const hinted = [...this.#hinted];
    this.#hinted = new Set();
    const isListDue = hinted.some((path) =>
      this.#homes().some((home) => path === home || isDirectlyIn(path, home)),
    );
    if (isListDue) this.#list();
    if (this.#first === undefined) this.#audience.showUnsettled("report", NO_SESSION);
    else this.#audience.settle(this.#first);
    for (const seen of this.#sessions.values()) {
      const { directory } = seen.found.home;
      const isHinted = isListDue || hinted.some((path) => path.startsWith(`${directory}/`));
      if (isHinted || seen.look === undefined) seen.look = lookAt(this.#world.host, seen.found);
    }
    for (const id of this.#audience.sessions) await this.#report(id);
    for (const seen of this.#sessions.values()) await this.#row(seen);
    const rows = [...this.#sessions.values()].map(({ listed }) => listed?.row);
    const html = sessionNav(
      rows.filter((row) => row !== undefined && "branch" in row),
      [...rows.filter((row) => row !== undefined && "problem" in row), ...this.#damaged],
      this.#olderCount,
    );
    this.#audience.show("sessions", eventText("sessions", { html }));
  }

  /** The directories of the homes that can be seen from here. */
  #homes(): readonly string[] {
    const { files } = this.#world.host;
    const top = workTreeAround(files, this.#world.cwd);
    const found = [...this.#sessions.values()].map(({ found }) => found.session.repository);
    return [...new Set([...(top === undefined ? [] : [top]), ...found])].map(sessionsDirectory);
  }

  #list(): void {
    const { files } = this.#world.host;
    const all = allSessions(files, this.#world.cwd);
    if (!all.ok) return;
    const { sessions } = all.value;
    const listed = sessions.slice(-WEB_SESSIONS_MAX);
    this.#olderCount = sessions.length - listed.length;
    this.#damaged = all.value.damaged;
    const before = this.#sessions;
    this.#sessions = new Map(
      listed.map((found) => {
        const { id } = found.session;
        const { listed, reported, records } = before.get(id) ?? UNSEEN;
        return [id, { found, look: undefined, listed, reported, records }];
      }),
    );
    const first = findSession(files, this.#world.cwd, this.#asked);
    this.#first = first.ok ? first.value.session.id : undefined;
    const watched = listed.slice(-WEB_SESSIONS_WATCHED_MAX);
    const directories = [
      ...this.#homes(),
      ...watched.flatMap(({ home }) => [home.logs, home.locks]),
    ];
    if (directories.join("\n") !== this.#directories$.value.join("\n")) {
      this.#directories$.next(directories);
    }
  }

  async #row(seen: Seen): Promise<void> {
    const { look, found } = seen;
    if (look === undefined || seen.listed?.look.text === look.text) return;
    const { host } = this.#world;
    const presence = await readPresence(host, found.home);
    const read = await readState(this.#world, found);
    const nowMs = host.clock.nowMs();
    const row = read.ok
      ? listedSession({ ...found, ...read.value, ...presence, nowMs })
      : { session: found.session.id, problem: read.failure.kind };
    seen.listed = { look, row };
  }

  async #report(id: string): Promise<void> {
    const seen = this.#sessions.get(id);
    if (seen === undefined) {
      const html = liveNote(`There is no session ${id} here any more.`);
      this.#audience.show("report", eventText("report", { session: id, title: id, html }), id);
      return;
    }
    const { look, reported } = seen;
    if (look === undefined) return;
    const atMs = this.#world.host.clock.nowMs();
    const isOld = look.isSupervised && atMs - (reported?.atMs ?? 0) >= WEB_REDRAW_MS;
    if (reported?.look.text !== look.text || isOld) {
      const text = await attempted(() => this.#reportOf(seen, look, atMs));
      seen.reported = { look, atMs, text: text.ok ? text.value : unreadText(id, text.failure) };
    }
    this.#audience.show("report", seen.reported?.text ?? "", id);
  }

  /** What was read for the report is enough for the list, too. */
  async #reportOf(seen: Seen, look: Look, nowMs: number): Promise<string> {
    const { found } = seen;
    const { id: session } = found.session;
    const { files } = this.#world.host;
    const read = await readStatus(this.#world, found);
    if (read.ok) seen.listed = { look, row: listedStatus(found, read.value.view, nowMs) };
    seen.records ??= new ReportRecords(files, found);
    const known = read.ok ? read.value : undefined;
    const view = await readReport(this.#world, found, known, seen.records);
    const says = view.status === undefined ? "cannot be read" : stageWords(view.status);
    const title = `${session}: ${says}`;
    const recordedMs = view.timeline.toMs;
    const text = eventText("report", { session, title, html: reportHtml(view), recordedMs });
    if (text.length <= WEB_MESSAGE_CHARS_MAX) return text;
    const html = liveNote(
      "This report is too long to be shown live. To see it: wisp report --html",
    );
    return eventText("report", { session, title, html });
  }
}

/** Shown in place of a session whose home is damaged; the pages of the others stay. */
function unreadText(session: string, { kind }: WorldFailure): string {
  const title = `${session}: cannot be read`;
  const html = liveNote(`${title} (${kind}). To see what is damaged: wisp fsck ${session}`);
  return eventText("report", { session, title, html });
}

function isDirectlyIn(path: string, directory: string): boolean {
  return path.startsWith(`${directory}/`) && !path.slice(directory.length + 1).includes("/");
}
