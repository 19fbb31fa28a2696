import { dirname } from "node:path";
import type { RunEnd, RunOptions } from "../../src/base/ports/processes.ts";
import { ROLES, type Role } from "../../src/base/role.ts";
import { roleLog } from "../../src/fs-protocol/home/home.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { Disk } from "./disk.ts";
import type { Exit, Play } from "./engine-turn.ts";
import { Fate } from "./fate.ts";
import { Ledger } from "./ledger.ts";
import { useMachine, type Misfortune } from "./node-fs.ts";
import { answer, deedsOf, doDeed, type Deed } from "./people.ts";
import { Random } from "../rig/random.ts";
import { runProcess, RoleProcess } from "./role-process.ts";
import { AppendChecks, type AskedQuestion, type Ending } from "./append-checks.ts";
import { HOME, STATE } from "./sim-home.ts";
import { newClone, simClone, simHub, type CloneState } from "./sim-clone.ts";
import { simPorts, tellWatches, type PortWorld, type Watch } from "./sim-ports.ts";
import { OWN_LOOPBACK } from "./sim-trees.ts";
import { SimRepository } from "./sim-repository.ts";
import { Died, Simulator, START_MS, type Life } from "./simulator.ts";
import type { Wrong } from "./wrong.ts";
import type { Scene } from "./scene.ts";
import { useTimeOf } from "./virtual-globals.ts";

/** The state of a role's last process. */
interface RoleSlot {
  process: RoleProcess | undefined;
  incarnations: number;
  /** A role that `crashed` is started again, one that `left` only after a new human record. */
  last: "never" | "crashed" | "left";
  /** Length of human.log when it began: it may have left without reading later records. */
  humanBytes: number;
}

interface Child extends Life {
  readonly runId: string;
}

/** Invariants of liveness; all others are about safety. */
const LIVENESS = ["L1", "L3", "wake-up"];

/** Longest time in which a session must end after the last fault and the last human record, in virtual time. */
const CALM_MS_MAX = 4 * 60 * 60_000;
const STEPS_MAX = 300_000;
/** A session in which nothing is recorded for so long waits for a person: no turn and no drain limit takes longer. */
const QUIET_MS = 20 * 60_000;

/** One session of four roles in a simulated world, from its first process to its end. */
export class SimSession {
  readonly simulator: Simulator;
  readonly disk = new Disk();
  readonly repository: SimRepository;
  readonly fate: Fate;
  readonly ledger = new Ledger();
  readonly session: SessionJson;
  readonly seed: number;
  turns = 0;
  /** The first broken safety invariant: something was lost, done twice, or done wrongly. */
  unsafe: Wrong | undefined;
  /** The first broken liveness invariant: the session does not progress. */
  late: Wrong | undefined;
  appended: (path: string, text: string) => void = () => undefined;
  wasRead: (path: string, bytes: number) => void = () => undefined;
  readonly #scene: Scene;
  readonly #checks: AppendChecks;
  readonly #world: PortWorld;
  readonly #clones = new Map<string, CloneState>();
  readonly #runs = new Map<string, number>();
  readonly #children = new Set<Child>();
  readonly #slots: ReadonlyMap<Role, RoleSlot>;
  #deedsLeft = 0;
  #troublesLeft = 0;
  #people = 0;
  #lastDeedMs = START_MS;
  #lastAppendMs = START_MS;

  constructor(seed: number, isTraced: boolean, scene: Scene) {
    this.seed = seed;
    this.#scene = scene;
    this.repository = new SimRepository(scene.files);
    this.simulator = new Simulator(Random.for(seed, "schedule"), isTraced, scene.startMs);
    this.fate = new Fate(seed, scene.troubles);
    this.session = scene.session(this.repository.base);
    this.#checks = new AppendChecks(this, (invariant, what) => {
      this.broken(invariant, what);
    });
    this.#slots = new Map(
      ROLES.map((role) => [
        role,
        { process: undefined, incarnations: 0, last: "never", humanBytes: 0 },
      ]),
    );
    this.#world = {
      simulator: this.simulator,
      fate: this.fate,
      ledger: this.ledger,
      watches: new Set<Watch>(),
      leases: new Map<string, Life>(),
      isFaulty: () => this.isFaulty,
      appended: (path, bytes, life) => {
        this.#appended(path, bytes, life);
      },
      run: (options, ended) => this.#runChild(options, ended),
      spaceAt: () => scene.spaceAt?.(),
      zone: scene.zone,
      sweep: (runId) => this.#sweep(runId),
      broken: (invariant, what) => {
        this.broken(invariant, what);
      },
    };
  }

  get isFaulty(): boolean {
    return (
      this.#scene.troubles !== "none" && this.simulator.nowMs < START_MS + this.fate.endsAfterMs
    );
  }

  /** Only the first one of either kind is kept. */
  broken(invariant: string, what: string): void {
    const wrong = { invariant, what };
    if (LIVENESS.includes(invariant)) this.late ??= wrong;
    else this.unsafe ??= wrong;
  }

  /** Number of edits of TASKS.md that were adopted. */
  get edits(): number {
    const log = this.disk.textOf(roleLog(HOME, "builder")) ?? "";
    return log.match(/ plan\.adopt .*\bhuman=/g)?.length ?? 0;
  }

  /** The question at which it stands, because nobody answers it, and no role has anything else to do. */
  get standing(): AskedQuestion | undefined {
    if (this.simulator.nowMs <= this.#lastAppendMs + QUIET_MS) return undefined;
    const asked = this.#unanswered();
    return asked && this.#scene.answerTo(asked) === undefined ? asked : undefined;
  }

  /** How it ended. */
  get ending(): Ending {
    return this.#checks.ending;
  }

  /** Runs the session to its end, or until an invariant is broken. */
  async run(): Promise<void> {
    this.#prepare();
    while (this.unsafe === undefined && !this.#isEndless() && !this.#isOver()) {
      await this.#step();
    }
  }

  #isEndless(): boolean {
    if (this.#scene.troubles === "none") return this.late !== undefined;
    const { simulator, fate } = this;
    const calmSinceMs = Math.max(START_MS + fate.endsAfterMs, this.#lastDeedMs);
    if (simulator.steps > STEPS_MAX) this.broken("L3", "it goes on and on");
    if (simulator.nowMs > calmSinceMs + CALM_MS_MAX) this.broken("L1", "it does not end");
    return this.late !== undefined;
  }

  async #step(): Promise<void> {
    try {
      const has = await this.simulator.step();
      if (!has) this.broken("L1", "nothing is going to happen any more");
    } catch (thrown) {
      this.broken("crash", thrown instanceof Error ? (thrown.stack ?? thrown.message) : "thrown");
    }
  }

  #prepare(): void {
    const { disk, simulator } = this;
    useTimeOf(simulator);
    useMachine({
      disk,
      life: () => simulator.current,
      misfortune: (operation, path) => this.#misfortune(operation, path),
      wasRead: (path, bytes) => {
        this.wasRead(path, bytes);
      },
      kill: (operation, path) => {
        this.#killCurrent(operation, path);
      },
    });
    for (const path of [HOME.turns, HOME.plans, HOME.locks]) disk.createDirectories(path);
    for (const role of ROLES) disk.createDirectories(`${STATE}/${role}/clone`);
    disk.overwrite(HOME.request, "# Request\n");
    disk.syncAll();
    disk.changed = (path) => {
      tellWatches(this.#world, path);
    };
    for (const role of ROLES) this.#startLater(role, simulator.moment());
    this.#supervise();
    if (this.#scene.troubles !== "none") this.#planTroubles();
  }

  #planTroubles(): void {
    const { fate } = this;
    const { hasPeople } = this.#scene;
    if (hasPeople) for (const deed of deedsOf(Random.for(this.seed, "people"))) this.#plan(deed);
    for (let cut = 0; cut < fate.powerCuts; cut++) this.#later("power cut", () => this.#cutPower());
    for (let kill = 0; kill < fate.kills; kill++) this.#later("kill", () => this.#killSomebody());
    if (!hasPeople) return;
    if (fate.random.chance(0.3)) this.#later("edits", () => this.#edit(100));
    if (fate.random.chance(0.2)) this.#later("interrupt", () => this.#interrupt());
    if (fate.random.chance(0.15)) this.#later("check out", () => this.#checkOut());
    if (fate.random.chance(0.15)) this.#later("foreign push", () => this.#pushForeign());
  }

  /** Schedules a fault at some time before faults end. */
  #later(label: string, act: () => void): void {
    const { random, endsAfterMs } = this.fate;
    const untilMs = random.chance(0.8) ? Math.min(12_000, endsAfterMs) : endsAfterMs;
    this.#troublesLeft += 1;
    const strike = () => {
      this.#troublesLeft -= 1;
      act();
    };
    this.simulator.after(random.between(50, untilMs), label, strike, undefined);
  }

  // Roles.

  #startLater(role: Role, delayMs: number): void {
    this.simulator.after(
      delayMs,
      `start ${role}`,
      () => {
        this.#start(role);
      },
      undefined,
    );
  }

  #start(role: Role): void {
    const slot = this.#slots.get(role);
    if (slot === undefined || slot.process?.isAlive === true) return;
    slot.incarnations += 1;
    const callsLeft = this.isFaulty ? this.fate.callsToLive() : Infinity;
    const process = new RoleProcess(role, slot.incarnations, callsLeft);
    slot.process = process;
    slot.humanBytes = this.#humanBytes();
    this.simulator.after(
      0,
      "begins",
      () => {
        const ended = runProcess(process, {
          ports: simPorts(this.#world, process),
          home: HOME,
          session: this.session,
          hub: simHub(this.#git(), this.session.repository),
          clone: (lane) => simClone(this.#git(), this.#cloneOf(role, lane)),
          tree: (directory) => simClone(this.#git(), this.#cloneAt(directory)),
          workAt: (directory) => this.#cloneAt(directory).work,
          sandbox: this.#scene.sandbox,
          engines: this.#scene.engines,
          random: () => this.simulator.random.unit(),
        });
        void ended.then(
          (end) => {
            const isLeft = end.kind === "ended" && end.reason !== "interrupted";
            if (end.kind === "ended" && end.reason === "branch-rewritten") {
              this.broken("rewritten", `${process.name} takes the branch for rewritten`);
            }
            this.simulator.note(`${process.name} ends ${JSON.stringify(end)}`);
            this.#ended(slot, isLeft ? "left" : "crashed");
          },
          (thrown: unknown) => {
            if (thrown instanceof Died) return;
            const text = thrown instanceof Error ? (thrown.stack ?? "") : String(thrown);
            this.broken("crash", `${process.name}: ${text}`);
          },
        );
      },
      process,
    );
  }

  #ended(slot: RoleSlot, last: "crashed" | "left"): void {
    if (slot.process?.isAlive !== true) return;
    slot.process.isAlive = false;
    slot.last = last;
  }

  #humanBytes(): number {
    return Buffer.byteLength(this.disk.textOf(HOME.humanLog) ?? "");
  }

  /** Checks periodically which roles do not run, and starts those that should. */
  #supervise(): void {
    this.simulator.after(
      2_000,
      "look at roles",
      () => {
        for (const role of ROLES) if (this.#isToStart(role)) this.#start(role);
        this.#answerQuestions();
        this.#supervise();
      },
      undefined,
    );
  }

  #isToStart(role: Role): boolean {
    const slot = this.#slots.get(role);
    if (slot === undefined || slot.process?.isAlive === true) return false;
    return slot.last !== "left" || slot.humanBytes !== this.#humanBytes();
  }

  #isOver(): boolean {
    if (this.standing !== undefined) return true;
    const slots = [...this.#slots.values()];
    const isQuiet = this.#deedsLeft + this.#people + this.#troublesLeft === 0;
    if (!isQuiet || slots.some(({ process }) => process?.isAlive !== false)) return false;
    const bytes = this.#humanBytes();
    const areLeft = slots.every(({ last, humanBytes }) => last === "left" && humanBytes === bytes);
    return areLeft && this.ending !== undefined;
  }

  #cloneOf(role: Role, lane = 0): CloneState {
    return this.#cloneAt(`${STATE}/${role}/clone${lane === 0 ? "" : `-${String(lane)}`}`);
  }

  #cloneAt(directory: string): CloneState {
    const clone = this.#clones.get(directory) ?? newClone(this.repository, directory);
    this.#clones.set(directory, clone);
    return clone;
  }

  #git() {
    const { simulator, repository } = this;
    return { simulator, repository, isFailing: () => this.isFaulty && this.fate.gitFails() };
  }

  #appended(path: string, bytes: Uint8Array, life: Life): void {
    const text = Buffer.from(bytes).toString("utf8");
    this.simulator.note(`${life.name} appends ${path} ${String(bytes.length)}`);
    this.simulator.trace?.push(`    ${text.trimEnd()}`);
    this.#lastAppendMs = this.simulator.nowMs;
    this.#checks.appended(path, text);
    this.appended(path, text);
  }

  // Programs that roles start.

  #runChild(options: RunOptions, ended: (end: RunEnd) => void): () => void {
    const { env, cwd, runId } = options;
    const unit = env["WISP_UNIT"] ?? "verify";
    const run = this.#runs.get(unit) ?? 0;
    this.#runs.set(unit, run + 1);
    this.turns += 1;
    const child: Child = { name: `child ${String(this.turns)}`, isAlive: true, runId };
    const clone = this.#clones.get(cwd) ?? this.#cloneOf("planner");
    const world = {
      seed: this.seed,
      disk: this.disk,
      repository: this.repository,
      clone,
      env,
      argv: options.argv,
      prompt: options.stdin,
      run,
      badness: this.isFaulty ? this.fate.badTurns : 0,
      isOnRecord: (path: string) => this.#checks.isOnRecord(path),
    };
    const command = this.#scene.command({
      ...{ argv: options.argv, work: clone.work, runId },
      hasOwnLoopback: OWN_LOOPBACK in env,
      random: this.simulator.random,
    });
    this.#children.add(child);
    this.#play(child, command ?? this.#scene.turn(world), ({ exitCode, stdout, signalName }) => {
      this.#write(options.stdoutPath, stdout);
      if (signalName === undefined) ended({ kind: "exited", exitCode });
      else ended({ kind: "killed", signalName });
    });
    return () => {
      child.isAlive = false;
    };
  }

  #play(child: Child, play: Play, ended: (exit: Exit) => void): void {
    const next = play.next();
    if (next.done === true) {
      child.isAlive = false;
      this.#children.delete(child);
      ended(next.value);
      return;
    }
    this.simulator.after(
      next.value,
      "goes on",
      () => {
        this.#play(child, play, ended);
      },
      child,
    );
  }

  #write(path: string, text: string): void {
    const { disk } = this;
    if (disk.find(dirname(path)) === undefined) return;
    const node = disk.find(path) ?? disk.createFile(path);
    if (node.kind === "file") disk.append(node, Buffer.from(text), path);
  }

  #sweep(runId: string): number {
    const swept = [...this.#children].filter((child) => child.runId === runId);
    for (const child of swept) {
      child.isAlive = false;
      this.#children.delete(child);
    }
    return swept.length;
  }

  // Faults.

  #misfortune(operation: string, path: string): Misfortune {
    const life = this.simulator.current;
    if (life === undefined || !this.isFaulty) return { kind: "none" };
    if (operation !== "read" && life instanceof RoleProcess) {
      life.callsLeft -= 1;
      if (life.callsLeft <= 0) {
        const death = this.fate.death();
        if (operation === "write" && death.kind === "die" && death.when === "before") {
          this.fate.counts.tornWrites += 1;
        }
        return death;
      }
    }
    const error = this.fate.diskError(operation);
    if (operation === "fsync" && error.kind !== "none") this.#writeBack(path);
    return error;
  }

  /** Kills the current process during a system call. */
  #killCurrent(operation: string, path: string): void {
    const life = this.simulator.current;
    const place = path.replace(/\.[0-9a-f]{12}\.tmp/g, "");
    this.simulator.note(`${life?.name ?? "world"} dies at ${operation} ${place}`);
    const { random, counts, powerCuts } = this.fate;
    if (counts.powerCuts < powerCuts && random.chance(0.4)) this.#cutPower();
    else if (life instanceof RoleProcess) this.#kill(life);
    this.#writeBack(path);
  }

  /**
   * Other processes may read, and act on, data that a process wrote but could not sync. The kernel writes it back
   * within seconds; wisp does not promise to survive a power cut in these seconds as well.
   */
  #writeBack(path: string): void {
    const node = this.disk.find(path);
    if (node !== undefined) this.disk.sync(node);
  }

  #kill(process: RoleProcess): void {
    this.fate.counts.kills += 1;
    const slot = this.#slots.get(process.role);
    if (slot !== undefined) this.#ended(slot, "crashed");
  }

  #killSomebody(): void {
    const { random, counts, kills } = this.fate;
    const running = this.#running();
    if (running.length === 0 || counts.kills >= kills) return;
    const process = random.pick(running);
    this.simulator.note(`${process.name} is killed`);
    this.#kill(process);
  }

  #running(): readonly RoleProcess[] {
    return [...this.#slots.values()].flatMap(({ process }) =>
      process?.isAlive === true ? [process] : [],
    );
  }

  #cutPower(): void {
    const { fate, disk, ledger } = this;
    fate.counts.powerCuts += 1;
    for (const slot of this.#slots.values()) this.#ended(slot, "crashed");
    for (const child of this.#children) child.isAlive = false;
    this.#children.clear();
    this.#world.watches.clear();
    this.#cutPeople();
    fate.counts.tornFiles += disk.cutPower(fate.random);
    this.simulator.note(`power cut, ${String(fate.counts.tornFiles)} files torn`);
    const missing = ledger.missingFrom(disk);
    if (missing !== undefined) this.broken("durable", `lost in a power cut: ${missing}`);
  }

  #interrupt(): void {
    const running = this.#running();
    if (running.length === 0) return;
    const process = this.fate.random.pick(running);
    this.simulator.after(0, "is asked to end", () => process.stop.abort(), process);
  }

  /** An editor keeps writing files next to the session's. */
  #edit(times: number): void {
    // It alternates between files, so that the watcher is never silent about all of them.
    this.#write(`${HOME.directory}/notes-${String(times % 8)}.txt`, "more\n");
    if (times === 0) return;
    this.simulator.after(15 + this.fate.random.below(20), "edits", () => this.#edit(times - 1));
  }

  #checkOut(): void {
    this.repository.isCheckedOut = true;
    const untilMs = this.fate.random.between(100, 8_000);
    this.simulator.after(untilMs, "checked out another", () => {
      this.repository.isCheckedOut = false;
    });
  }

  #pushForeign(): void {
    const { repository } = this;
    const tree = new Map(repository.at(repository.head).tree);
    tree.set("foreign.txt", `${tree.get("foreign.txt") ?? ""}by a person\n`);
    repository.head = repository.commit(repository.head, "By a person", tree).sha;
  }

  // People.

  readonly #persons = new Set<Life>();

  #plan({ afterMs, kind }: Deed): void {
    this.#deedsLeft += 1;
    const act = () => {
      this.#deedsLeft -= 1;
      this.#person(kind, (ports, random) =>
        doDeed({ ...this.#place(ports), items: this.#checks.items, random }, kind),
      );
    };
    this.simulator.after(afterMs, `deed ${kind}`, act, undefined);
  }

  #person(
    name: string,
    act: (ports: ReturnType<typeof simPorts>, random: Random) => Promise<void>,
  ): void {
    this.#people += 1;
    this.#lastDeedMs = this.simulator.nowMs;
    const life: Life = { name: `person ${name}`, isAlive: true };
    this.#persons.add(life);
    const done = () => {
      if (!this.#persons.delete(life)) return;
      this.#people -= 1;
      life.isAlive = false;
    };
    this.simulator.after(
      0,
      "comes",
      () => {
        void act(simPorts(this.#world, life), this.fate.random).then(done, done);
      },
      life,
    );
    // The person closes the window while the command runs.
    if (this.isFaulty && this.fate.random.chance(0.2)) {
      this.simulator.after(this.fate.random.below(30), "is killed", done, life);
    }
  }

  #place(ports: ReturnType<typeof simPorts>) {
    return { ports, home: HOME, session: this.session };
  }

  #cutPeople(): void {
    for (const life of this.#persons) life.isAlive = false;
    this.#people = 0;
    this.#persons.clear();
  }

  #unanswered(): AskedQuestion | undefined {
    const text = this.disk.textOf(HOME.humanLog) ?? "";
    return this.#checks.questions.find(({ id }) => !text.includes(`question=${id} `));
  }

  /** At last, a pause or stop is lifted, and every question is answered, unless nobody is there to do so. */
  #answerQuestions(): void {
    if (this.#people > 0) return;
    const text = this.disk.textOf(HOME.humanLog) ?? "";
    const asked = this.#unanswered();
    const said = asked && this.#scene.answerTo(asked);
    if (asked !== undefined && said !== undefined)
      this.#person("answers", (ports) => answer(this.#place(ports), asked.id, said));
    else if (this.#deedsLeft === 0 && isHeldUp(text)) {
      this.#person("resume", (ports, random) =>
        doDeed({ ...this.#place(ports), items: [], random }, "resume"),
      );
    }
  }
}

/** Whether the last of these records is a pause or stop. */
function isHeldUp(human: string): boolean {
  const words = human.split("\n").map((line) => line.split(" ")[1] ?? "");
  return ["pause", "stop"].includes(
    words.findLast((word) => /^(?:pause|stop|resume)$/.test(word)) ?? "",
  );
}
