import { merge, share, tap, type Observable } from "rxjs";
import { NOTHING_SEEN, recordStreams } from "../../views/timeline/record-streams.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import { perRole, type PerRole, type Role } from "../../base/role.ts";
import { IN_SECONDS_MS_MAX } from "../../base/words/format-duration.ts";
import { editCopies } from "../../fs-protocol/home/edit-copies.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import { sessionHub } from "../../workspace/session/session-hub.ts";
import { createSessionReader, type SessionReader } from "../../session/state/session-reader.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Span } from "../../views/rows/row.ts";
import type { Page } from "../../views/screen/page-facts.ts";
import type { ScreenFacts } from "../../views/screen/screen-facts.ts";
import { screenFacts } from "../../views/screen/screen-of-status.ts";
import { openMilestone } from "../../views/status/milestone-status.ts";
import { statusView, type StatusView } from "../../views/status/status-view.ts";
import { EventList } from "../../views/timeline/event-list.ts";
import { RoleSigns } from "../../views/timeline/role-signs.ts";
import { TurnTail } from "../../views/timeline/turn-tail.ts";
import { readPresence } from "../../workspace/session/read-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { PageSource } from "./page-source.ts";

/** How a session is followed. */
interface Following {
  /** Another session than the one that the command runs. */
  readonly isReadOnly: boolean;
  /** Called when a page has been loaded. */
  readonly onPage: () => void;
}

/** What the screen shows besides the summary. */
interface Shown {
  readonly tailed: Role | undefined;
  readonly page: Page | undefined;
  readonly said: readonly Span[];
}

/** A session as the screen follows it: each look reads only what is new. */
export class FollowedSession {
  readonly found: FoundSession;
  readonly #isReadOnly: boolean;
  readonly #world: World;
  readonly #reader: SessionReader;
  readonly #events = new EventList();
  readonly #signs: PerRole<RoleSigns>;
  readonly #pages: PageSource;
  #tail: TurnTail | undefined;
  #countsSeconds = false;

  constructor(world: World, found: FoundSession, { isReadOnly, onPage }: Following) {
    const { home, session } = found;
    const { files } = world.host;
    this.found = found;
    this.#isReadOnly = isReadOnly;
    this.#world = world;
    const hub = sessionHub(world, found);
    this.#reader = createSessionReader(files, hub, home, session);
    this.#signs = perRole((role) => new RoleSigns(files, home, role));
    this.#pages = new PageSource(onPage);
  }

  /** Whether the screen counts seconds down. */
  get countsSeconds(): boolean {
    return this.#countsSeconds;
  }

  addEvent(entry: LogRecord): void {
    this.#events.add(entry);
  }

  /** Something each time that a file of the session has changed, and for each of its events, which are added. */
  changes(): Observable<unknown> {
    const { watcher, files } = this.#world.host;
    const { home } = this.found;
    const hint$ = watchHints(watcher, [home.logs, home.locks, home.turns]).pipe(share());
    const entry$ = recordStreams(files, home, { seen: NOTHING_SEEN, hint$ });
    return merge(
      hint$,
      entry$.pipe(
        tap((entry) => {
          if (entry.ok) this.addEvent(entry.value);
        }),
      ),
    );
  }

  /** What the screen shows; undefined while the session cannot be read. */
  async look({ tailed, page, said }: Shown): Promise<ScreenFacts | undefined> {
    const read = await this.#read();
    if (read === undefined) return undefined;
    const { view, state } = read;
    const { host } = this.#world;
    const { found } = this;
    this.#countsSeconds = (view.drainLeftMs ?? Infinity) <= IN_SECONDS_MS_MAX;
    if (tailed !== undefined && this.#tail?.role !== tailed) {
      this.#tail = new TurnTail(host.files, found.home, tailed);
    }
    const tail = tailed === undefined ? undefined : this.#tail?.read();
    const nowMs = host.clock.nowMs();
    const signs = perRole((role) => this.#signs[role].read(nowMs));
    const onPage = this.#pages.read(page, { world: this.#world, found, state });
    const { listed: events } = this.#events;
    const isReadOnly = this.#isReadOnly;
    const shown = { events, signs, nowMs, said, tail, page: onPage, isReadOnly };
    return screenFacts(view, { ...shown, openMilestone: openMilestone(state) });
  }

  /** The status as it is now; undefined while the session cannot be read. */
  async status(): Promise<StatusView | undefined> {
    return (await this.#read())?.view;
  }

  async #read(): Promise<{ readonly view: StatusView; readonly state: SessionState } | undefined> {
    const { host } = this.#world;
    const { home, session, mirrors } = this.found;
    const presence = await readPresence(host, home);
    const read = await this.#reader.read();
    if (!read.ok) return undefined;
    const state = read.value;
    const view = statusView({
      ...{ home, session, mirrors, state, ...presence, nowMs: host.clock.nowMs() },
      quarantined: this.#reader.quarantined(),
      troubles: this.#reader.troubles(),
      edits: editCopies(host.files, home),
    });
    return { view, state };
  }
}
