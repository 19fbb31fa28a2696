import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { REFERENCE, verifyAt } from "../../../src/evidence/verify/verify-at.ts";
import { need } from "../../../src/base/fatal.ts";
import type { Locks } from "../../../src/base/ports/locks.ts";
import type { Oid } from "../../../src/base/oid.ts";
import { EMPTY_BUILDER } from "../../../src/session/state/builder-state.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { ENGINE_NEEDS } from "../../../src/engines/coding-clis.ts";
import { createNodeDirectories } from "../../../src/host/files/node-directories.ts";
import { createNodeFiles } from "../../../src/host/files/node-files.ts";
import { createNodeTreeView } from "../../../src/host/files/node-tree-view.ts";
import { createBubblewrap } from "../../../src/sandbox/bubblewrap.ts";
import type { SandboxSetting } from "../../../src/sandbox/sandbox-setting.ts";
import { workingBubblewrap } from "../../rig/sandboxed.ts";
import { commit } from "../../rig/in-process-session.ts";
import { sessionRig, type RoleRig, type SessionRig } from "../../agents/role-rig.ts";

const bubblewrap = await workingBubblewrap();
const BWRAP = "path" in bubblewrap ? bubblewrap.path : undefined;

/** The sandboxes with which the trees are tested. */
export const SANDBOXES = [
  { sandbox: "no sandbox", bwrap: undefined, isThere: true },
  {
    sandbox: BWRAP === undefined ? "bubblewrap (skipped: it does not work here)" : "bubblewrap",
    bwrap: BWRAP,
    isThere: BWRAP !== undefined,
  },
] as const;

/** Files by path; one that begins with `#!` is executable. */
export type Tree = Readonly<Record<string, string>>;

/** What surrounds a session: the files of its base commit, the environment, and what the sandbox shows. */
export interface TreeSurroundings {
  readonly files?: Tree;
  /** The variables of the person, by the checkout's path. */
  readonly env?: (checkout: string) => Readonly<Record<string, string>>;
  readonly sandbox?: (checkout: string) => Partial<SandboxSetting>;
  /** The folder of the locks of slots, which sessions share; absent: commands get none. */
  readonly slots?: string;
}

/** A builder with a clone, verify trees, and a project's commits. */
export class TreeRig implements Disposable {
  readonly rig: SessionRig;
  readonly builder: RoleRig<"builder">;
  readonly #bwrap: string | undefined;
  readonly #fields: Partial<SessionJson>;
  readonly #around: TreeSurroundings;

  constructor(
    bwrap: string | undefined,
    fields: Partial<SessionJson>,
    around: TreeSurroundings = {},
  ) {
    this.#bwrap = bwrap;
    this.#fields = fields;
    this.#around = around;
    this.rig = sessionRig(around.files === undefined ? {} : { files: around.files });
    this.builder = this.role("builder");
  }

  /** A role of the session, as one of its processes. */
  role(role: "builder", stop = new AbortController(), locks?: Locks): RoleRig<"builder"> {
    const held = locks === undefined ? {} : { locks };
    return this.rig.role(role, undefined, { ...this.#fieldsOf(role), ...held, stop });
  }

  /** The session's tester, on a machine with this folder for temporary files. */
  tester(temporary?: string): RoleRig<"tester"> {
    return this.rig.role("tester", undefined, { ...this.#fieldsOf("tester"), temporary });
  }

  #fieldsOf(role: "builder" | "tester") {
    const { session } = this.rig;
    const world = {
      tree: createNodeTreeView(),
      files: createNodeFiles(),
      directories: createNodeDirectories(),
      engines: ENGINE_NEEDS,
      blobsIn: () => new Set<string>(),
    };
    const places = {
      homes: [session.state],
      repository: session.repository,
      scratch: join(session.state, role, "sandbox"),
      caches: join(session.state, "shared-caches"),
      state: [session.state],
    };
    const setting = {
      ...{ network: true, deny: [], allow: [], write: [] },
      ...this.#around.sandbox?.(session.repository),
    };
    const sandbox =
      this.#bwrap === undefined
        ? {}
        : {
            sandbox: createBubblewrap({
              ...{ executable: this.#bwrap, world, places, setting },
              gitConfig: "",
            }),
          };
    const env = this.#around.env?.(session.repository) ?? {};
    return { session: this.#fields, slots: this.#around.slots, env, ...sandbox };
  }

  get tree(): string {
    return join(this.rig.session.state, "verify", "1", "tree");
  }

  async clone() {
    return this.builder.context.clone();
  }

  /** Commits files in the builder's clone, as its engine does. */
  async commit(files: Tree, subject = "Work"): Promise<Oid> {
    const clone = await this.clone();
    need(await clone.syncTo(this.#head));
    putFiles(clone.directory, files);
    commit(clone.directory, subject);
    this.#head = need(await clone.head());
    return this.#head;
  }

  #head: Oid | undefined;

  async verify(at: Oid, role = this.builder) {
    const verified = await verifyAt(role.context, EMPTY_BUILDER, at, {
      ...REFERENCE,
      isJudged: true,
    });
    if (verified.kind === "stopped") return { outcome: "stopped", printed: "" };
    const { output = "" } = verified;
    const path = join(this.rig.at.home.turns, `${output}.out`);
    return { outcome: verified.outcome, printed: readFileSync(path, "utf8") };
  }

  /** The tree of a commit, according to git. */
  treeOf(at: Oid): string {
    return this.rig.at.git("-C", this.builderDirectory, "rev-parse", `${at}^{tree}`);
  }

  get builderDirectory(): string {
    return join(this.rig.session.state, "builder", "clone");
  }

  [Symbol.dispose](): void {
    this.rig[Symbol.dispose]();
  }
}

export function putFiles(directory: string, files: Tree): void {
  for (const [path, text] of Object.entries(files)) {
    const full = join(directory, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}
