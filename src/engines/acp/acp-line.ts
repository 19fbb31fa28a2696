import { z } from "zod";

/** What `wisp acp-turn` is told of its turn, as one argument; the prompt is its standard input. */
export const AcpTask = z.strictObject({
  /** The agent's command line. */
  argv: z.tuple([z.string()], z.string()),
  resume: z.string().optional(),
  /** Whether it may edit files. */
  edits: z.boolean(),
  /** Directories outside its working directory in which it may edit. */
  directories: z.array(z.string()),
  /** File with the MCP servers of its session, as the protocol has them: they may hold secrets. */
  mcpFile: z.string().optional(),
});
export type AcpTask = z.infer<typeof AcpTask>;

/** MCP servers as the protocol names them to an agent, which starts them. */
export const AcpServers = z.array(
  z.strictObject({
    name: z.string(),
    command: z.string(),
    args: z.array(z.string()),
    env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  }),
);
export type AcpServers = z.infer<typeof AcpServers>;

/**
 * One line that `wisp acp-turn` prints. `update` is what the agent sent, as it came; the rest is what
 * this side did about it.
 */
export type AcpLine =
  | { readonly type: "session"; readonly session: string }
  | { readonly type: "update"; readonly update: unknown }
  /** A permission that was asked for and not given. */
  | {
      readonly type: "refused";
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
    }
  /** The agent asked a person; the turn ends with it. */
  | { readonly type: "asked"; readonly question: string }
  | { readonly type: "error"; readonly message: string; readonly code?: string | undefined }
  | { readonly type: "result"; readonly stopReason: string; readonly usage: unknown };
