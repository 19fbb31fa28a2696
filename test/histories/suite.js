// Runs the tests of a release by hand, to make a lie of which it is known whether the tests notice it.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { putText } from "./changes.js";

const SUITE_MS_MAX = 60_000;
/** In TAP, and in the summary of pytest. */
const FAILED = /^(?:\s*not ok \d+ -? ?(.*)|(?:FAILED|ERROR) (.*?)(?: - .*)?)$/gmu;

/** A copy of a release in which files are replaced and the suite is run, as often as is wanted. */
export class Bench {
  constructor(folder, release, { verify, modules, link }) {
    this.place = join(folder, "bench");
    this.verify = verify;
    rmSync(this.place, { recursive: true, force: true });
    cpSync(release, this.place, { recursive: true });
    symlinkSync(modules, join(this.place, link));
  }

  put(path, text) {
    putText(this.place, path, text);
  }

  /**
   * Whether the suite ends by itself in time, whether it passes, and the names in its lines of failures. One that eats all
   * memory until it is ended by a signal does not end by itself.
   */
  run() {
    const [program, ...args] = this.verify;
    const env = {
      ...process.env,
      PATH: `${join(this.place, "node_modules/.bin")}:${process.env.PATH}`,
    };
    delete env.NODE_TEST_CONTEXT;
    // With the reporter whose lines are those of tape.
    const words = program === "node" ? ["--test-reporter=tap", ...args] : args;
    const { status, stdout } = spawnSync(
      program.includes("/") ? resolve(this.place, program) : program,
      words,
      {
        ...{ cwd: this.place, env, encoding: "utf8", timeout: SUITE_MS_MAX, maxBuffer: 1 << 28 },
      },
    );
    const failed = [...stdout.matchAll(FAILED)].map(([, tap, pytest]) => tap ?? pytest);
    return { isOver: status !== null, isGreen: status === 0, failed };
  }
}
