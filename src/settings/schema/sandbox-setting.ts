import { z } from "zod";
import { SANDBOX_MEMORY_GIB_MAX, SANDBOX_PIDS_MAX } from "../../base/container-limits.ts";
import { isImageName } from "../../base/words/image-name.ts";
import { ByteSize } from "./byte-size.ts";

const KINDS = "auto, none, bubblewrap, srt or container";
const PATHS = "a list of paths such as [~/.kube, secrets]";
const MAPPING =
  `${KINDS}, or a mapping with kind, network, commands, deny, allow, write, domains, image, pids, memory ` +
  "and cpus";
const SWITCH = "true or false";

const Kind = z.enum(["auto", "none", "bubblewrap", "srt", "container"], {
  error: `one of ${KINDS}`,
});

/** `~/…`, absolute, or relative without leading out of its tree. */
const PATH = /^(?:~\/|\/)?(?!~)(?!(?:.*\/)?\.\.(?:\/|$))[^\0\n]{1,300}$/u;

function paths(description: string) {
  return z
    .array(z.string({ error: PATHS }).regex(PATH, { error: PATHS }), { error: PATHS })
    .max(100, { error: "at most 100 paths" })
    .default([])
    .describe(description);
}

const DOMAIN = "the name of a host, such as api.example.com or *.example.com";

const IMAGE = "the name of an image, such as localhost/my-tools";
const PIDS = "a number of processes from 16";
const CPUS = "a number of processors such as 2 or 0.5";

const Written = z.strictObject(
  {
    kind: Kind.default("auto").describe("Left out: bubblewrap if it works, otherwise none."),
    network: z
      .boolean({ error: SWITCH })
      .default(true)
      .describe(
        "Off: loopback only, so that no hosted model can be reached. Setup always has the network.",
      ),
    commands: z
      .boolean({ error: SWITCH })
      .default(true)
      .describe("Setup, verify and the commands of bugs run in the sandbox too."),
    deny: paths(
      "Hidden: ~/…, absolute, or relative to the repository and each clone, unless it is tracked.",
    ),
    allow: paths("Visible, read-only, even if it is protected or in the home directory."),
    write: paths("Visible and writable."),
    domains: z
      .array(z.string({ error: DOMAIN }).regex(/^(?:\*\.)?[\w.-]{1,250}$/, { error: DOMAIN }), {
        error: "a list of hosts such as [api.example.com]",
      })
      .max(100, { error: "at most 100 hosts" })
      .default([])
      .describe(
        "For srt: hosts that may be reached besides those of the engine and of package registries.",
      ),
    image: z
      .string({ error: IMAGE })
      .max(500, { error: IMAGE })
      .refine(isImageName, { error: IMAGE })
      .optional()
      .describe("For container: the image, which contains sh, git, your engine and your tools."),
    pids: z
      .int({ error: PIDS })
      .min(16, { error: PIDS })
      .max(1_000_000, { error: PIDS })
      .default(SANDBOX_PIDS_MAX)
      .describe("For container: processes and threads of a turn."),
    memory: ByteSize.prefault(`${String(SANDBOX_MEMORY_GIB_MAX)}g`).describe(
      "For container: memory of a turn.",
    ),
    cpus: z
      .number({ error: CPUS })
      .min(0.1, { error: CPUS })
      .max(10_000, { error: CPUS })
      .optional()
      .describe("For container: processors of a turn. Left out: all of them."),
  },
  { error: MAPPING },
);

/** A kind, or a mapping; parsed to the mapping. */
export const SandboxConfig = z
  .union([Kind.describe("The kind alone.").transform((kind) => Written.parse({ kind })), Written], {
    error: MAPPING,
  })
  .prefault({})
  .describe("What engines, and the code that they write, may see and change; docs/SANDBOX.md.");
export type SandboxConfig = z.infer<typeof SandboxConfig>;
