import { type WorldFailure, attempted } from "../../base/fatal.ts";
import type { Result } from "../../base/result.ts";
import type { World } from "../../workspace/world.ts";
import {
  auditTime,
  concatMap,
  filter,
  firstValueFrom,
  from,
  ignoreElements,
  interval,
  map,
  merge,
  share,
  Subject,
  take,
  tap,
  type Observable,
} from "rxjs";
import {
  questionIn,
  recordStreams,
  NOTHING_SEEN,
  type Seen,
} from "../../views/timeline/record-streams.ts";
import { fail } from "../../base/result.ts";
import { perRole, type PerRole, type Role } from "../../base/role.ts";
import { RoleSigns } from "../../views/timeline/role-signs.ts";
import type { WatchHint } from "../../base/ports/watcher.ts";
import { editCopies } from "../../fs-protocol/home/edit-copies.ts";
import { createSessionReader } from "../../session/state/session-reader.ts";
import { openHub } from "../../git/repository/hub.ts";
import { leaveTerminal } from "../../host/processes/own-terminal.ts";
import { lookAgain } from "../../streams/look-again.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import type { Screen, ScreenOptions } from "../open-screen.ts";
import type { ScreenEffect, ScreenState } from "../screen-state.ts";
import { span, type Span } from "../../views/rows/row.ts";
import { checkText, recordAnswer, AlreadyAnswered } from "../../actions/up/answer-question.ts";
import { gitContext } from "../../workspace/world.ts";
import type { Cli } from "../../terminal/cli.ts";
import { EventList } from "../../views/timeline/event-list.ts";
import { explain } from "../../base/explain.ts";
import { IN_SECONDS_MS_MAX } from "../../base/words/format-duration.ts";
import type { InterruptKeys } from "../../terminal/interrupt-keys.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { screenFacts } from "../../views/screen/screen-of-status.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { hasSupervisorLeft } from "../../views/timeline/supervisor-left.ts";
import { statusView, type StatusView } from "../../views/status/status-view.ts";
import type { Tone } from "../../base/words/sentence.ts";
import { TurnTail } from "../../views/timeline/turn-tail.ts";

/** Why the screen was closed: the supervisor left, or the person did. */
export type ScreenEnd = "left" | "background";

/** The end of the supervisor may have no event; and while seconds are counted down, each is shown. */
const TICK_MS = 1_000;
/** What else changes without an event, minutes that are left and processes that are gone, is shown at this interval. */
const TICKS_PER_LOOK = 5;
/** Reading a session takes some milliseconds, so changes within this interval are read together. */
const REFRESH_MS = 120;

interface WatchOptions {
  readonly seen: Seen;
  readonly keys: InterruptKeys;
}

type OpenScreen = (options: ScreenOptions) => Screen;

/**
 * Shows a session on the whole terminal until its supervisor or the person leaves. It watches the session's files, and
 * its keys do the same as the corresponding commands.
 *
 * @param seen the records whose questions the person has already been alerted to
 */
export async function watchScreen(
  cli: Cli,
  found: FoundSession,
  options: WatchOptions,
): Promise<ScreenEnd> {
  const { openScreen } = await import("../open-screen.ts");
  const watch = new ScreenWatch(cli, found, { ...options, openScreen });
  const restore = () => watch.close();
  const hangUp = () => process.exit(128 + 1);
  const end = () => process.exit(128 + 15);
  process.on("exit", restore).on("SIGHUP", hangUp).on("SIGTERM", end);
  try {
    return await watch.run();
  } finally {
    watch.close();
    process.off("exit", restore).off("SIGHUP", hangUp).off("SIGTERM", end);
  }
}

class ScreenWatch {
  readonly #cli: Cli;
  readonly #found: FoundSession;
  readonly #seen: Seen;
  readonly #keys: InterruptKeys;
  readonly #openScreen: OpenScreen;
  readonly #read: () => Promise<StatusView | undefined>;
  readonly #events = new EventList();
  readonly #signs: PerRole<RoleSigns>;
  readonly #effect$ = new Subject<ScreenEffect>();
  readonly #change$ = new Subject<void>();
  #screen: Screen | undefined;
  #tail: TurnTail | undefined;
  #countsSeconds = false;
  #messages: readonly Span[] = [];
  #busy: Promise<void> = Promise.resolve();

  constructor(
    cli: Cli,
    found: FoundSession,
    { seen, keys, openScreen }: WatchOptions & { readonly openScreen: OpenScreen },
  ) {
    this.#cli = cli;
    this.#found = found;
    this.#seen = seen;
    this.#keys = keys;
    this.#openScreen = openScreen;
    this.#read = statusReader(cli, found);
    this.#signs = perRole((role) => new RoleSigns(cli.host.files, found.home, role));
  }

  async run(): Promise<ScreenEnd> {
    const { host } = this.#cli;
    const { home } = this.#found;
    const hint$ = watchHints(host.watcher, [home.logs, home.locks, home.turns]).pipe(share());
    const look$ = interval(TICK_MS).pipe(
      filter((tick) => this.#countsSeconds || tick % TICKS_PER_LOOK === 0),
    );
    const shown$ = merge(hint$, look$, this.#change$).pipe(
      auditTime(REFRESH_MS),
      concatMap(() => from(this.#refresh())),
    );
    const performed$ = this.#effect$.pipe(concatMap((effect) => from(this.#perform(effect))));
    const end$ = merge(
      merge(this.#read$(hint$), shown$).pipe(ignoreElements()),
      performed$.pipe(filter((end) => end !== undefined)),
      this.#left$(hint$),
    ).pipe(take(1));
    const ended = firstValueFrom(end$, { defaultValue: "left" as const });
    this.#keys.sayBy((text) => this.#say("ask", text));
    this.#open(undefined);
    const end = await ended;
    await this.#busy;
    return end;
  }

  close(): void {
    this.#keys.sayBy(undefined);
    this.#screen?.close();
    this.#screen = undefined;
  }

  #open(state: ScreenState | undefined): void {
    this.#screen = this.#openScreen({
      stdin: process.stdin,
      stdout: process.stdout,
      hasColors: this.#cli.terminal.outHasColors,
      state,
      onKey: (effect) => {
        this.#messages = [];
        if (effect !== undefined) this.#effect$.next(effect);
        this.#change$.next();
      },
    });
    this.#change$.next();
  }

  #read$(hint$: Observable<WatchHint>): Observable<void> {
    const { host, terminal } = this.#cli;
    const { home, session } = this.#found;
    const read = { ...NOTHING_SEEN };
    return recordStreams(host.files, home, { seen: NOTHING_SEEN, hint$ }).pipe(
      map((entry) => {
        if (!entry.ok) return;
        const { log } = entry.value;
        read[log] += 1;
        this.#events.add(entry.value);
        const question = questionIn(entry.value);
        if (question === undefined || read[log] <= this.#seen[log]) return;
        terminal.call(`wisp: ${session.id} has a question: ${question}`);
      }),
      tap(() => this.#change$.next()),
    );
  }

  #left$(hint$: Observable<WatchHint>): Observable<ScreenEnd> {
    return merge(hint$.pipe(lookAgain(this.#found.home.locks)), interval(TICK_MS)).pipe(
      // Uses concatMap, because exhaustMap could drop the only hint of the end.
      concatMap(() => from(hasSupervisorLeft(this.#cli.host, this.#found.home))),
      filter((hasLeft) => hasLeft),
      map(() => "left"),
    );
  }

  async #refresh(): Promise<void> {
    const view = await this.#read();
    if (view === undefined || this.#screen === undefined) return;
    this.#countsSeconds = (view.drainLeftMs ?? Infinity) <= IN_SECONDS_MS_MAX;
    const { files } = this.#cli.host;
    const role = this.#screen.tailed;
    if (role !== undefined && this.#tail?.role !== role) {
      this.#tail = new TurnTail(files, this.#found.home, role);
    }
    const tail = role === undefined ? undefined : this.#tail;
    const nowMs = this.#cli.host.clock.nowMs();
    const signs = perRole((one) => this.#signs[one].read(nowMs));
    const { listed: events } = this.#events;
    const said = this.#messages;
    this.#screen.show(screenFacts(view, { events, signs, nowMs, said, tail: tail?.read() }));
  }

  async #perform(effect: ScreenEffect): Promise<ScreenEnd | undefined> {
    switch (effect.kind) {
      case "background":
        return "background";
      case "interrupt":
        this.#keys.press();
        return undefined;
      case "answer":
        this.#tell(await this.#answer(effect));
        return undefined;
      case "attach":
        this.#busy = this.#attach(effect.role);
        await this.#busy;
        return undefined;
    }
  }

  async #answer({ question: id, text }: AnswerEffect): Promise<Result<void, WorldFailure>> {
    const view = await this.#read();
    const question = view?.questions.find((open) => open.id === id);
    const session = this.#found.session.id;
    if (question === undefined) {
      return fail(AlreadyAnswered({ session, question: id }));
    }
    const checked = checkText(this.#found, question, text);
    if (!checked.ok) return checked;
    return attempted(() =>
      recordAnswer(this.#quiet(), this.#found, { question, text: checked.value }),
    );
  }

  /** Hands the terminal to the engine until the person leaves it. */
  async #attach(role: Role): Promise<void> {
    const { attachRole } = await import("../../actions/attach/attach-role.ts");
    const state = this.#screen?.state;
    this.#screen?.close();
    this.#screen = undefined;
    // Leaves the terminal before the engine starts, because text typed ahead is meant for the engine.
    await leaveTerminal();
    this.#keys.sayBy(undefined);
    const outcome = await attempted(() => attachRole(this.#cli, this.#found, role));
    this.#keys.sayBy((text) => this.#say("ask", text));
    // Shown on the screen, because anything else written to the terminal is hidden behind it.
    if (outcome.ok) this.#messages = outcome.value.map((text) => span("ask", text));
    else this.#tell(outcome);
    this.#open(state);
  }

  #tell(outcome: Result<unknown, WorldFailure>): void {
    if (!outcome.ok) this.#say("bad", explain(outcome.failure).message);
  }

  #say(style: Tone, text: string): void {
    this.#messages = [span(style, text)];
    this.#change$.next();
  }

  /** A world whose messages appear on the screen. */
  #quiet(): World {
    const say = (text: string) => this.#say("good", text);
    return { ...this.#cli, tell: say };
  }
}

type AnswerEffect = Extract<ScreenEffect, { readonly kind: "answer" }>;

/** Returns a function that reads the current status; it yields undefined while the session cannot be read. */
function statusReader(cli: Cli, { home, session }: FoundSession) {
  const { host } = cli;
  const hub = openHub(gitContext(cli), session.repository);
  const reader = createSessionReader(host.files, hub, home, session);
  return async (): Promise<StatusView | undefined> => {
    const alive = await readLeases(host, home);
    const read = await reader.read();
    if (!read.ok) return undefined;
    return statusView({
      ...{ home, session, state: read.value, alive, nowMs: host.clock.nowMs() },
      quarantined: reader.quarantined(),
      troubles: reader.troubles(),
      edits: editCopies(host.files, home),
    });
  };
}
