import type { Reporter, TestCase, TestModule } from "vitest/node";

const LOOK_MS = 10_000;

interface Running {
  lastMs: number;
  /** Title of the test that began last. */
  last: string;
}

/**
 * Names the test files that are running if none of their tests has begun or ended for some minutes. Files are
 * only printed when they end, so without this it would be unknown where a run that was killed had hung.
 */
export class NameHangs implements Reporter {
  readonly #silentMsMax: number;
  readonly #running = new Map<string, Running>();
  #timer: NodeJS.Timeout | undefined;

  /** @param silentMsMax how long a test file may be silent before it is named, and named again */
  constructor(silentMsMax: number) {
    this.#silentMsMax = silentMsMax;
  }

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  onTestModuleQueued(module: TestModule): void {
    this.#running.set(nameOf(module), { lastMs: Date.now(), last: "none of its tests yet" });
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(nameOf(module));
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    this.#note(module, fullName);
  }

  onTestCaseResult({ module, fullName }: TestCase): void {
    this.#note(module, `after ${fullName}`);
  }

  /** Events of a file that has ended are ignored: its last tests may be reported after its end. */
  #note(module: TestModule, last: string): void {
    const name = nameOf(module);
    if (this.#running.has(name)) this.#running.set(name, { lastMs: Date.now(), last });
  }

  #look(): void {
    const nowMs = Date.now();
    for (const [name, running] of this.#running) {
      if (nowMs - running.lastMs <= this.#silentMsMax) continue;
      running.lastMs = nowMs;
      process.stderr.write(
        `Silent for ${String(this.#silentMsMax / 60_000)} minutes: ${name} > ${running.last}\n`,
      );
    }
  }
}

function nameOf(module: TestModule): string {
  return `${module.project.name} ${module.relativeModuleId}`;
}
