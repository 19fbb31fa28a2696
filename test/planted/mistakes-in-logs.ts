import type { PlantedMistake } from "./planted-mistake.ts";

const DIGEST = "fs-protocol/codec/prefix-digest.ts";
const FOLD = "fs-protocol/codec/log-fold.ts";
const FOLDS = "test/session/kept-folds.test.ts";
const PROJECTOR = "test/home/projector.test.ts";

/** Mistakes in snapshots, in watching, and in appends of several records. */
export const MISTAKES_IN_LOGS: readonly PlantedMistake[] = [
  {
    mistake: "a kept fold is believed whatever its log begins with",
    edits: [{ file: DIGEST, find: "&& digest.value === sha256", replace: "" }],
    foundBy: { file: FOLDS, title: "a log that was rewritten with other text of the same length" },
  },
  {
    mistake: "a kept fold is believed although another file has taken its log's place",
    edits: [
      {
        file: FOLD,
        find: "if (files.stat(path)?.inode !== prefix.inode) return false;",
        replace: "",
      },
      // Otherwise the next read notices it.
      {
        file: FOLD,
        find: "this.#cursor = { inode: prefix.inode,",
        replace: "this.#cursor = { inode: files.stat(path)?.inode ?? 0,",
      },
    ],
    foundBy: { file: FOLDS, title: "a log that was replaced by the same text is folded anew" },
  },
  {
    // Of a log, the next read notices it.
    mistake: "a projection counts as compared although it is shorter than what was compared",
    edits: [
      {
        file: DIGEST,
        find: "if (!piece.ok || piece.value.length === 0) return undefined;",
        replace: "if (!piece.ok || piece.value.length === 0) return digest;",
      },
    ],
    foundBy: { file: PROJECTOR, title: "a file that was cut after it was compared" },
  },
  {
    mistake: "a snapshot is believed although bytes of it changed",
    edits: [
      {
        file: "fs-protocol/codec/snapshot-file.ts",
        find: "if (!digest(key(), data).equals(bytes.subarray(0, DIGEST_BYTES))) return undefined;",
        replace: "",
      },
    ],
    foundBy: { file: FOLDS, title: "a damaged snapshot is not believed" },
  },
  {
    mistake: "a snapshot of another program is believed",
    edits: [
      {
        file: "fs-protocol/codec/snapshot-file.ts",
        find: "update(`${key}\\0`)",
        replace: "update(`${key.length > 0 ? 0 : 1}\\0`)",
      },
    ],
    foundBy: {
      file: "test/fs-protocol/newest-folds.test.ts",
      title: "what a role of another program kept",
    },
  },
  {
    mistake: "a process that only reads writes snapshots, too",
    edits: [
      {
        file: "fs-protocol/home/role-snapshots.ts",
        find: "return newest && { ...newest.place, worthBytes: Infinity };",
        replace: "return newest?.place;",
      },
    ],
    foundBy: {
      file: "test/fs-protocol/newest-folds.test.ts",
      title: "a process that only reads replaces nothing",
    },
  },
  {
    mistake: "a projection counts as compared although it was edited since",
    edits: [
      {
        file: "home/compared-files.ts",
        find: "if (digest === undefined) return [];",
        replace: "if (digest === undefined) continue;",
      },
    ],
    foundBy: {
      file: PROJECTOR,
      title: "a file that was edited at the same length after it was compared",
    },
  },
  {
    mistake: "projections count as compared with a journal that was replaced",
    edits: [
      {
        file: "home/compared-files.ts",
        find: "if (!journal.continueFrom(kept.journal)) return [];",
        replace: "journal.continueFrom(kept.journal);",
      },
    ],
    foundBy: { file: PROJECTOR, title: "if only the journal was replaced after a comparison" },
  },
  {
    mistake: "a block of which only the first line was written counts as written",
    edits: [
      {
        file: "home/projector.ts",
        find: "candidates.filter((candidate) => whole.startsWith(candidate, from))",
        replace: "candidates.filter(() => from >= 0)",
      },
    ],
    foundBy: {
      file: PROJECTOR,
      title: "wherever an append of several blocks was torn, the next start writes the rest once",
    },
  },
  {
    mistake: "work whose end was torn off the append that says it is published counts as lost",
    edits: [
      {
        file: "agents/builder/recover.ts",
        find: `if (state.branch.places.has(last)) return "published";`,
        replace: `if (state.branch.places.has(last)) return "nothing";`,
      },
    ],
    foundBy: {
      file: "test/agents/builder/end-build.test.ts",
      title: "an append of both that was torn anywhere is completed",
    },
  },
  {
    mistake: "a lease is not looked at again after the last event about it",
    edits: [
      {
        file: "streams/look-again.ts",
        find: "return merge(of(hint), ...again);",
        replace: "return again.length > 9 ? merge(...again) : of(hint);",
      },
    ],
    foundBy: {
      file: "test/streams/look-again.test.ts",
      title: "a lease that is freed after the last event",
    },
  },
  {
    mistake: "the directory's own hint after the watch has begun is left out",
    edits: [
      {
        file: "host/files/chokidar-watcher.ts",
        find: 'watcher.on("ready", () => hint(directory));',
        replace: "",
      },
    ],
    foundBy: {
      file: "test/host/chokidar-watcher.test.ts",
      title: "every directory gives a hint once",
    },
  },
  {
    mistake: "hints are limited in their rate, so that the end of a burst is lost",
    edits: [
      {
        file: "host/files/chokidar-watcher.ts",
        find: 'watcher.on("raw", (_event, name, details) => {',
        replace: 'watcher.on("never", (_event, name, details) => {',
      },
    ],
    foundBy: {
      file: "test/host/chokidar-watcher.test.ts",
      title: "files that are made, appended to",
    },
  },
];
