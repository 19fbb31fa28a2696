import { z } from "zod";
import { ROLES } from "../../base/role.ts";
import type { McpServerSetting } from "../../fs-protocol/home/session-json.ts";
import { Argv } from "./argv.ts";

/**
 * Playwright's server in the version that wisp was tested with, for the roles that build and test;
 * it runs a headless browser with a temporary profile. The engine has npx fetch it on start.
 */
const PLAYWRIGHT: McpServerSetting = {
  name: "playwright",
  command: ["npx", "--yes", "@playwright/mcp@0.0.83", "--headless", "--isolated"],
  env: [],
  roles: ["builder", "tester"],
};

const NAME = "a name of letters, digits, - and _";
const VARIABLES = "a list of names of variables such as [API_TOKEN]";
const ROLE = `one of ${ROLES.join(", ")}`;
const SERVER = "{ command: [executable, arguments…], env: [NAME…], roles: [builder…] }, or false";

const Server = z
  .union(
    [
      z.literal(false).describe("Not offered."),
      z.strictObject({
        command: Argv,
        env: z
          .array(
            z.string({ error: VARIABLES }).regex(/^[A-Za-z_]\w{0,199}$/, { error: VARIABLES }),
            {
              error: VARIABLES,
            },
          )
          .max(100, { error: "at most 100 names" })
          .default([])
          .describe("Names of variables that it receives."),
        roles: z
          .array(z.enum(ROLES, { error: ROLE }), {
            error: ROLE,
          })
          .optional()
          .describe("Roles whose engines it is offered to. Left out: all."),
      }),
    ],
    { error: SERVER },
  )
  .describe("How to start it, speaking MCP on its standard streams; false: it is not offered.");

/** MCP servers by name. */
export const McpSettings = z
  .record(z.string().regex(/^[A-Za-z][\w-]{0,39}$/, { error: NAME }), Server, {
    error: `a mapping of names to ${SERVER}`,
  })
  .prefault({})
  .describe("MCP servers that engines are offered, each in the engine's own format.");
export type McpSettings = z.infer<typeof McpSettings>;

/**
 * The servers that a session freezes: those of the settings, plus Playwright unless the settings
 * define it or the program that fetches it is missing.
 */
export function mcpServers(
  settings: McpSettings,
  hasExecutable: (name: string) => boolean,
): readonly McpServerSetting[] {
  const named = Object.entries(settings).flatMap(([name, server]) =>
    server === false ? [] : [{ name, ...server }],
  );
  const isOwn = Object.hasOwn(settings, PLAYWRIGHT.name);
  const [fetcher = ""] = PLAYWRIGHT.command;
  return isOwn || !hasExecutable(fetcher) ? named : [PLAYWRIGHT, ...named];
}
