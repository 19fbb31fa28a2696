import { z } from "zod";
import { Argv } from "./argv.ts";
import { ByteSize } from "./byte-size.ts";
import { Duration } from "./duration.ts";
import { variableNames } from "./variable-names.ts";

/** What a name of an executor looks like; those of the kinds themselves are taken. */
export const EXECUTOR_NAME =
  /^(?!(?:here|local|ssh|container|slurm|sprites)$)[a-z][a-z0-9-]{0,39}$/u;

const NAME =
  "names of small letters, digits and hyphens, such as build-box, but not here, local, ssh, container, slurm " +
  "or sprites, which mean something without settings";
const WORD = "a word without NUL characters (numbers and true or false need quotes)";
const Word = z.string({ error: WORD }).regex(/^[^\0]{1,1000}$/u, { error: WORD });
const PATH = "an absolute path there";
const FarPath = z.string({ error: PATH }).regex(/^\/[^\0\n]{0,500}$/u, { error: PATH });

const moreWords = (of: string) =>
  z
    .array(Word, { error: "a list of arguments such as [-p, '2222']" })
    .max(100, { error: "at most 100 arguments" })
    .default([])
    .describe(`Further arguments of ${of}.`);

const LABEL = "names of letters, digits, dots and hyphens, at most 60";
const CPUS = "a number of processors";

/** What every executor may be asked for. */
const WISHES = {
  cpus: z
    .int({ error: CPUS })
    .min(1, { error: CPUS })
    .max(10_000, { error: CPUS })
    .optional()
    .describe("Processors of a place."),
  memory: ByteSize.optional().describe("Memory of a place."),
  time: Duration.optional().describe("How long a place may exist."),
  labels: z
    .record(z.string().regex(/^[\w.-]{1,60}$/u, { error: LABEL }), Word, {
      error: "a mapping of names to words",
    })
    .optional()
    .describe("Labels of a place, where the executor knows such."),
  env: variableNames(
    "Variables of this machine that wisp has there too, such as the key of an engine. They are sent as a private file.",
  ),
};

const Ssh = z.strictObject({
  kind: z.literal("ssh"),
  host: Word.describe("As `ssh` takes it: a host, user@host, or a name in ~/.ssh/config."),
  root: FarPath.optional().describe("Where places are. Left out: in the user's state directory."),
  arguments: moreWords("ssh"),
  forwardAgent: z
    .boolean({ error: "true or false" })
    .default(false)
    .describe("Whether commands there may use the keys of your agent here."),
  ...WISHES,
});

const Container = z.strictObject({
  kind: z.literal("container"),
  image: Word.describe(
    "The image of places. It needs git, tar, gzip, setsid and your engine; docs/EXECUTORS.md has all.",
  ),
  program: z
    .enum(["podman", "docker"], { error: "podman or docker" })
    .optional()
    .describe("Left out: podman if it is installed, otherwise docker."),
  arguments: moreWords("run"),
  ...WISHES,
});

const Slurm = z.strictObject({
  kind: z.literal("slurm"),
  partition: Word.optional().describe("Left out: the cluster's default."),
  root: FarPath.optional().describe(
    "Where places are, on a local disk of the nodes. Left out: /var/tmp/wisp-<user id>.",
  ),
  arguments: moreWords("sbatch"),
  ...WISHES,
});

const Sprites = z.strictObject({
  kind: z.literal("sprites"),
  url: z.url({ error: "a web address" }).optional().describe("Left out: that of Fly.io."),
  ...WISHES,
});

const Own = z.strictObject({
  kind: z.literal("command"),
  create: Argv.describe("Makes a place; docs/EXECUTORS.md."),
  exec: Argv.describe("Runs a command at a place."),
  destroy: Argv.describe("Ends a place."),
  put: Argv.optional().describe("Copies a file to a place."),
  get: Argv.optional().describe("Copies a file from a place."),
  status: Argv.optional().describe("Prints the state of a place."),
  terminal: Argv.optional().describe("Runs a command at a place in your terminal."),
  image: Word.optional().describe("Handed on to the commands."),
  queue: Word.optional().describe("Handed on to the commands."),
  ...WISHES,
});

const KINDS = "ssh, container, slurm, sprites or command";

/** One executor in a person's own settings. */
export const ExecutorSetting = z.discriminatedUnion("kind", [Ssh, Container, Slurm, Sprites, Own], {
  // Said of the kind itself if the rest is a mapping.
  error: ({ input }) => (typeof input === "object" ? KINDS : `a mapping with a kind: ${KINDS}`),
});
export type ExecutorSetting = z.infer<typeof ExecutorSetting>;

/** Executors by the names under which a person and the settings of repositories know them. */
export const ExecutorsSetting = z
  .record(z.string().regex(EXECUTOR_NAME, { error: NAME }), ExecutorSetting, {
    error: "a mapping of names to executors",
  })
  .default({})
  .describe("Where sessions can run, by name, for `wisp start --on`.");
