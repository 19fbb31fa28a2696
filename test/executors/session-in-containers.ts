import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { IMAGES, type Podman } from "./podman.ts";

const AGENT = join(import.meta.dirname, "../fixtures/agent/agent.mjs");

/** What a session needs whose turns and commands run in containers of an image. */
export interface ContainerSession {
  readonly scenario: string;
  readonly config?: string;
  readonly image?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A session whose turns and commands run in containers. */
export function sessionInContainers(
  podman: Podman,
  { scenario, config = "", image = IMAGES.ordinary, files = {} }: ContainerSession,
): ProcessSession {
  const session = processSession({
    ...{ scenario, config, files },
    sandbox: `{ kind: container, image: ${image} }`,
  });
  // The image has a node of its own, and of the machine's files only the agent's are given.
  const settings = join(session.repository, ".wisp/config.yaml");
  const text = readFileSync(settings, "utf8").replace(
    /^engine: .*$/m,
    `engine: { command: ${JSON.stringify(["node", AGENT, join(session.root, "scenario.mjs")])} }`,
  );
  writeFileSync(settings, text);
  session.git("commit", "-qam", "Name the engine");
  Object.assign(session.env, podman.env, { HOME: session.env["HOME"] });
  return session;
}
