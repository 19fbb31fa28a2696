// One real session on a step: a repository of the earlier release, wisp as built here, and a scripted builder.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { textAt } from "./changes.js";
import { outcomeOf } from "./outcome.js";

const HERE = import.meta.dirname;
const PROJECT = join(HERE, "../..");
/** What of the project a running wisp reads. */
const PARTS = ["dist", "templates", "schemas", "package.json"];
const AGENT = join(HERE, "../fixtures/agent/agent.mjs");
const NOT_ASKED = ["docs", "performance", "security", "simplicity", "tests"];
const NEVER = "---\nlevel: suggestion\nwhen: never\n---\n";
const SESSION_MS_MAX = 20 * 60_000;

/** Copies wisp as it is built now, so that a build meanwhile disturbs no session, and returns its program. */
export function copyWisp(folder) {
  const to = mkdtempSync(join(folder, "wisp-"));
  for (const part of PARTS) cpSync(join(PROJECT, part), join(to, part), { recursive: true });
  return join(to, "dist/wisp.js");
}

/** Runs one session, and says how it ended and what it looked at. */
export async function runSession(
  folder,
  { step, about, program, milestones, sandbox, isAccepting },
) {
  const root = mkdtempSync(join(folder, "session-"));
  const repository = join(root, "repository");
  const env = environment(root);
  const git = (...args) => execFileSync("git", args, { cwd: repository, env, encoding: "utf8" });
  cpSync(about.from, repository, { recursive: true });
  writePlan(join(root, "play"), step, milestones);
  for (const [path, text] of Object.entries(settings(root, { about, sandbox }))) {
    mkdirSync(join(repository, path, ".."), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  writeFileSync(join(root, "request.md"), requestOf(step, about));
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Author");
  git("config", "user.email", "author@example.invalid");
  git("add", "-A");
  git("commit", "-qm", `${step.name} ${step.from}`);
  const began = Date.now();
  const accept = isAccepting ? ["--accept-red-base"] : [];
  const words = ["start", join(root, "request.md"), "--yes", "--plain", ...accept];
  const ended = await wisp([program, ...words], { repository, env });
  const seconds = Math.round((Date.now() - began) / 1000);
  // The supervisor outlives the command that started it.
  if (ended.code === null) await wisp([program, "stop"], { repository, env });
  const found = await wisp([program, "findings"], { repository, env });
  return {
    ...outcomeOf(join(repository, ".wisp/current"), ended),
    seconds,
    root,
    found: found.printed,
  };
}

function environment(root) {
  const home = join(root, "home");
  mkdirSync(home);
  const { PATH } = process.env;
  return { PATH, HOME: home, NO_COLOR: "1", GIT_CONFIG_NOSYSTEM: "1", GIT_ATTR_NOSYSTEM: "1" };
}

function settings(root, { about, sandbox }) {
  const engine = [process.execPath, AGENT, join(root, "play", "scenario.mjs")];
  const seen = [join(root, "play"), about.modules, HERE];
  const config = {
    engine: { command: engine },
    verify: [about.verify],
    setup: [["ln", "-sfn", about.modules, about.link]],
    sandbox: sandbox === "none" ? "none" : { allow: seen },
    mcp: { playwright: false },
  };
  const reviewers = NOT_ASKED.map((name) => [`.wisp/reviewers/${name}.md`, NEVER]);
  return {
    ".gitignore": `${about.link}\n__pycache__\n.pytest_cache\n`,
    ".wisp/config.yaml": `${JSON.stringify(config, null, 2)}\n`,
    ...Object.fromEntries(reviewers),
  };
}

function writePlan(play, { name, to }, milestones) {
  mkdirSync(play);
  const all = milestones.map(({ title, files }) => ({
    title,
    files: Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined)),
    gone: Object.keys(files).filter((path) => files[path] === undefined),
  }));
  const tasks = all.map(
    ({ title }) => `## Milestone: ${title}\n\n- [ ] ${title} of ${name} ${to}\n`,
  );
  const playing = pathToFileURL(join(HERE, "play.js")).href;
  writeFileSync(join(play, "milestones.json"), JSON.stringify(all));
  writeFileSync(join(play, "TASKS.md"), tasks.join("\n"));
  writeFileSync(
    join(play, "scenario.mjs"),
    `import { playing } from ${JSON.stringify(playing)};\nexport default playing(${JSON.stringify(play)});\n`,
  );
}

/** What the patch or the changelog says of the later release; without one, which source files change. */
function requestOf({ name, to }, { from, to: later, changes, words }) {
  if (words !== undefined) return `# ${words}\n`;
  const known = new Set((textAt(from, "CHANGELOG.md") ?? "").split("\n"));
  const lines = (textAt(later, "CHANGELOG.md") ?? "").split("\n");
  const said = lines.filter(
    (line) => line.trim() !== "" && !known.has(line) && !line.startsWith("#"),
  );
  const files = `Release ${to}: change ${changes.source.join(", ")}.`;
  return `# ${name} ${to}\n\n${said.length > 0 ? said.join("\n") : files}\n`;
}

function wisp(words, { repository, env }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, {
      ...{ cwd: repository, env, stdio: ["ignore", "pipe", "pipe"], timeout: SESSION_MS_MAX },
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (printed += text));
    child.on("close", (code) => resolve({ code, printed }));
  });
}
