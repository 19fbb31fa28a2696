import { BehaviorSubject, EMPTY, switchMap, type Observable } from "rxjs";
import { explain } from "../../base/explain.ts";
import { attempted } from "../../base/fatal.ts";
import { startFollowing } from "../../actions/elsewhere/keep-followed.ts";
import { findSession } from "../../workspace/find-session.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { FollowedSession } from "./followed-session.ts";

/** The session that the screen shows: the one that the command runs or, read-only, another one of the repository. */
export class ChosenSession {
  /** The one that the command runs. */
  readonly own: FollowedSession;
  readonly #world: World;
  readonly #onPage: () => void;
  readonly #other$ = new BehaviorSubject<FollowedSession | undefined>(undefined);

  /** @param onPage called when a page has been loaded */
  constructor(world: World, found: FoundSession, onPage: () => void) {
    this.#world = world;
    this.#onPage = onPage;
    this.own = new FollowedSession(world, found, { isReadOnly: false, onPage });
  }

  /** The one that is shown. */
  get shown(): FollowedSession {
    return this.#other$.value ?? this.own;
  }

  /** Something each time that there may be more to show of another session. */
  changes(): Observable<unknown> {
    return this.#other$.pipe(switchMap((other) => other?.changes() ?? EMPTY));
  }

  showOwn(): void {
    this.#other$.next(undefined);
  }

  /** Shows another session from now on; returns why it cannot be shown, in a sentence. */
  async show(session: string): Promise<string | undefined> {
    if (session === this.own.found.session.id) {
      this.showOwn();
      return undefined;
    }
    const found = findSession(this.#world.host.files, this.#world.cwd, session);
    if (!found.ok) return explain(found.failure).message;
    await attempted(() => startFollowing(this.#world, found.value));
    const following = { isReadOnly: true, onPage: this.#onPage };
    const other = new FollowedSession(this.#world, found.value, following);
    if ((await other.status()) === undefined) return `The session ${session} cannot be read.`;
    this.#other$.next(other);
    return undefined;
  }
}
