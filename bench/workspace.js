// @ts-check
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Place } from "./place.js";
import { killWith } from "./proc.js";

/**
 * One temporary folder with a copy of wisp, so that a build meanwhile does not mix two versions.
 * Everything that is started in it carries its path in `WISP_BENCH_ROOT`.
 */
export class Workspace {
  #root = mkdtempSync(join(tmpdir(), "wisp-bench-"));
  #places = 0;

  /** @param {string} binary the `wisp.js` to measure, in a folder of its package */
  constructor(binary) {
    const dist = dirname(binary);
    const isNeeded = (/** @type {string} */ path) => !path.endsWith(".map");
    cpSync(dist, join(this.#root, "wisp", "dist"), { recursive: true, filter: isNeeded });
    // Without the manifest Node would have to find out what kind of modules these are.
    for (const name of ["templates", "package.json"]) {
      cpSync(join(dirname(dist), name), join(this.#root, "wisp", name), { recursive: true });
    }
  }

  get wisp() {
    return join(this.#root, "wisp", "dist", "wisp.js");
  }

  /**
   * An empty folder in it.
   * @param {string} name
   */
  folder(name) {
    this.#places += 1;
    const path = join(this.#root, `${name}-${this.#places}`);
    mkdirSync(path);
    return path;
  }

  /**
   * A repository with one commit, in which the engine can work.
   * @param {Readonly<Record<string, string>>} [settings] variables of the engine
   * @param {import("./project.js").Project} [project]
   */
  place(settings = {}, project = undefined) {
    return new Place(this.folder("place"), this.#root, this.wisp, { settings, project });
  }

  /**
   * Starts a program that belongs to no repository; its output can be read.
   * @param {string} command
   * @param {readonly string[]} args
   */
  spawn(command, args) {
    return spawn(command, args, {
      cwd: this.#root,
      env: { PATH: process.env["PATH"], LC_ALL: "C", WISP_BENCH_ROOT: this.#root },
      stdio: ["ignore", "pipe", "inherit"],
    });
  }

  /** Kills what is left, and removes the folder. Works at any time, also twice. */
  async dispose() {
    await killWith(`WISP_BENCH_ROOT=${this.#root}`);
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}
