import { need } from "../../base/fatal.ts";
import { dirname, join } from "node:path";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import type { World } from "../../workspace/world.ts";
import { configPath } from "../../workspace/settings/read-settings.ts";
import { cassettePath } from "../settings/session-engines.ts";

const CONFIG = `# The engine "replay" plays .wisp/cassette.yaml: a recording of what a model would have said and edited.
engine: replay
verify: [node, --test]
`;

/** The request of the demo, in the project's root. */
export const DEMO_REQUEST = "request.md";

/**
 * Creates the demo's project at `directory`, which must not exist yet: a git repository with one
 * commit, its own author, and settings that name the recording.
 */
export async function makeDemoProject(world: World, directory: string): Promise<void> {
  const shipped = join(dirname(dirname(world.entry)), "demo");
  copyTree(world, join(shipped, "project"), directory);
  copyTree(world, join(shipped, DEMO_REQUEST), join(directory, DEMO_REQUEST));
  copyTree(world, join(shipped, "cassette.yaml"), cassettePath(directory));
  need(world.host.files.create(configPath(directory), Buffer.from(CONFIG)));
  await commitAll(world, directory);
}

/** Copies a file, or a folder with everything in it. */
function copyTree(world: World, from: string, to: string): void {
  const { files, directories } = world.host;
  if (directories.kindOf(from) !== "directory") {
    const bytes = need(files.read(from)) ?? new Uint8Array();
    need(files.makeDirectory(dirname(to)));
    need(files.create(to, bytes));
    return;
  }
  for (const name of need(files.list(from))) copyTree(world, join(from, name), join(to, name));
}

/** Ignores the user's configuration, such as templates, hooks and signing. */
async function commitAll(world: World, directory: string): Promise<void> {
  const git = gitIn(directory, {
    ...userEnvironment(world.env, directory),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  });
  const commands = [
    ["init", "--quiet", "--template=", "--initial-branch=main"],
    ["config", "user.name", "Wisp Demo"],
    ["config", "user.email", "demo@example.com"],
    ["add", "--all"],
    ["commit", "--quiet", "--message", "Read durations"],
  ];
  for (const command of commands) need(await git.must(command));
}
