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
  startWith,
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
import type { Role } from "../../base/role.ts";
import type { WatchHint } from "../../base/ports/watcher.ts";
import { leaveTerminal } from "../../host/processes/own-terminal.ts";
import { lookAgain } from "../../streams/look-again.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import { ChosenSession } from "./chosen-session.ts";
import type { Screen, ScreenOptions } from "../open-screen.ts";
import type { DecidingEffect, ScreenEffect, ScreenState } from "../screen-state.ts";
import type { ScreenFacts } from "../../views/screen/screen-facts.ts";
import { span, type Span } from "../../views/rows/row.ts";
import { noticeOf } from "./notice-of.ts";
import { checkText, recordAnswer, AlreadyAnswered } from "../../actions/up/answer-question.ts";
import type { Cli } from "../../terminal/cli.ts";
import type { InterruptKeys } from "../../terminal/interrupt-keys.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { hasSupervisorLeft } from "../../views/timeline/supervisor-left.ts";
import type { Tone } from "../../base/words/sentence.ts";

/** Why the screen was closed: the supervisor left, or the person did. */
export type ScreenEnd = "left" | "background";

/** While seconds are counted down, each is shown. What else changes without an event is seen at the sweeps of the hints. */
const TICK_MS = 1_000;
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
  readonly #session: ChosenSession;
  readonly #effect$ = new Subject<ScreenEffect>();
  readonly #change$ = new Subject<void>();
  #screen: Screen | undefined;
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
    this.#session = new ChosenSession(cli, found, () => this.#change$.next());
  }

  async run(): Promise<ScreenEnd> {
    const { host } = this.#cli;
    const { home } = this.#found;
    const hint$ = watchHints(host.watcher, [home.logs, home.locks, home.turns]).pipe(share());
    const second$ = interval(TICK_MS).pipe(filter(() => this.#session.shown.countsSeconds));
    const shown$ = merge(hint$, second$, this.#change$, this.#session.changes()).pipe(
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
        this.#session.own.addEvent(entry.value);
        const question = questionIn(entry.value);
        if (question === undefined || read[log] <= this.#seen[log]) return;
        terminal.call(`wisp: ${session.id} has a question: ${question}`);
      }),
      tap(() => this.#change$.next()),
    );
  }

  #left$(hint$: Observable<WatchHint>): Observable<ScreenEnd> {
    const { locks } = this.#found.home;
    return hint$.pipe(
      // It may have left before; and if it is killed, which causes no event, the next sweep shows it.
      startWith({ path: locks }),
      filter(({ path }) => path.startsWith(locks)),
      lookAgain(locks),
      // Uses concatMap, because exhaustMap could drop the only hint of the end.
      concatMap(() => from(hasSupervisorLeft(this.#cli.host, this.#found.home))),
      filter((hasLeft) => hasLeft),
      map(() => "left"),
    );
  }

  async #refresh(): Promise<void> {
    if (this.#screen === undefined) return;
    const { tailed, page } = this.#screen;
    const { shown } = this.#session;
    const facts = await shown.look({ tailed, page, said: this.#messages });
    // Another session may have been chosen meanwhile.
    if (facts !== undefined && shown === this.#session.shown) this.#show(facts);
  }

  #show(facts: ScreenFacts): void {
    this.#screen?.show(facts);
  }

  async #perform(effect: ScreenEffect): Promise<ScreenEnd | undefined> {
    switch (effect.kind) {
      case "background":
        return "background";
      case "interrupt":
        // A session that runs elsewhere is left, and goes on there.
        if (this.#found.mirrors !== undefined) return "background";
        if (this.#session.shown === this.#session.own) this.#keys.press();
        else this.#showOwn("Nothing was stopped: Ctrl-C stops the session that runs here.");
        return undefined;
      case "return":
        this.#showOwn(undefined);
        return undefined;
      case "follow":
        this.#sayIf(await this.#session.show(effect.session), "bad");
        return undefined;
      case "answer":
        this.#tell(await this.#answer(effect));
        return undefined;
      case "dismiss":
      case "approve":
      case "reject":
        this.#tell(await this.#decide(effect));
        return undefined;
      case "attach":
        this.#busy = this.#attach(effect.role);
        await this.#busy;
        return undefined;
    }
  }

  #showOwn(said: string | undefined): void {
    this.#session.showOwn();
    this.#sayIf(said, "ask");
  }

  #sayIf(text: string | undefined, style: Tone): void {
    if (text === undefined) this.#change$.next();
    else this.#say(style, text);
  }

  async #answer({ question: id, text }: AnswerEffect): Promise<Result<void, WorldFailure>> {
    const view = await this.#session.own.status();
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

  async #decide(effect: DecidingEffect): Promise<Result<void, WorldFailure>> {
    const { carryOut } = await import("./carry-out.ts");
    return attempted(() => carryOut(this.#quiet(), this.#found, effect));
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
    if (!outcome.ok) this.#say("bad", noticeOf(outcome.failure));
  }

  #say(style: Tone, text: string): void {
    this.#messages = [span(style, text)];
    this.#change$.next();
  }

  /** A world whose messages appear on the screen. */
  #quiet(): World {
    const say = (text: string) => this.#say("good", text);
    return { ...this.#cli, tell: say, ask: undefined };
  }
}

type AnswerEffect = Extract<ScreenEffect, { readonly kind: "answer" }>;
