// `node test/histories/run.js [words]`: whole sessions on real releases (README.md says how).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { NoDebian } from "./debian.js";
import { fetchStep } from "./fetch-step.js";
import { copyWisp, runSession } from "./session.js";
import { steps } from "./steps.js";
import { aboutStep, milestonesOf, variants } from "./variants.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: "string", multiple: true },
    variant: { type: "string", multiple: true, default: ["honest"] },
    milestones: { type: "string", default: "1" },
    sandbox: { type: "string", default: "auto" },
    "accept-red-base": { type: "boolean", default: false },
    folder: { type: "string" },
    keep: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const folder = values.folder ?? mkdtempSync(join(tmpdir(), "wisp-histories-"));
mkdirSync(folder, { recursive: true });
const wanted = steps.filter(isWanted);
const program = copyWisp(folder);
let unexpected = 0;
let skipped = 0;
try {
  if (values.list) for (const step of wanted) console.log(idOf(step), step.kind);
  else for (const step of wanted) for (const variant of values.variant) await tryOne(step, variant);
  if (skipped > 0) console.log(`${skipped} not tried`);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
process.exitCode = unexpected > 0 ? 1 : 0;

/** Words of the command line are parts of `package@from..to`. */
function isWanted(step) {
  const isKind = values.kind === undefined || values.kind.includes(step.kind);
  return (
    isKind && (positionals.length === 0 || positionals.some((word) => idOf(step).includes(word)))
  );
}

function idOf({ name, from, to }) {
  return `${name}@${from}..${to}`;
}

/** Where nothing can be read from Debian, its steps are left out, and counted. */
async function tryOne(step, variant) {
  try {
    await runOne(step, variant);
  } catch (error) {
    if (!(error instanceof NoDebian)) throw error;
    skipped += 1;
    console.log(`| ${idOf(step)} | ${step.kind} | ${variant} | not tried: ${error.message} |`);
  }
}

async function runOne(step, variant) {
  if (!variants.includes(variant)) throw new Error(`variants: ${variants.join(", ")}`);
  const fetched = fetchStep(folder, step);
  const about = aboutStep(folder, {
    ...fetched,
    verify: step.verify,
    milestones: Number(values.milestones),
  });
  const milestones = milestonesOf(variant, about);
  if (milestones === undefined)
    return console.log(`| ${idOf(step)} | ${step.kind} | ${variant} | there is no such lie |`);
  const isAccepting = values["accept-red-base"];
  const ended = await runSession(folder, {
    step,
    about,
    program,
    milestones,
    sandbox: values.sandbox,
    isAccepting,
  });
  const isAny = variant !== "honest" || isAccepting;
  const isExpected = ended.code !== null && (isAny || step.expected.includes(ended.end));
  if (!isExpected) unexpected += 1;
  const expected = variant === "honest" && !isAccepting ? step.expected.join(" or ") : "-";
  const looks = Object.entries(ended.looks).map(([kind, count]) => `${kind} ${count}`);
  const note = milestones.map((milestone) => milestone.note ?? "").join("");
  console.log(
    `| ${idOf(step)} | ${step.kind} | ${variant} | ${expected} | ${isExpected ? "" : "UNEXPECTED "}${ended.end} (${ended.code}) | ${looks.join(", ")} | ${ended.seconds} s | ${note} ${ended.why.slice(0, 200)} |`,
  );
  writeFileSync(join(ended.root, "printed.txt"), `${ended.printed}\n${ended.found}`);
  if (!values.keep && isExpected) rmSync(ended.root, { recursive: true, force: true });
  return undefined;
}
