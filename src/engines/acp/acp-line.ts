import { z } from "zod";
import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";

/** The task of `wisp acp-turn`, passed as one argument; the prompt is its standard input. */
export const AcpTask = z.strictObject({
  /** The agent's command line. */
  argv: z.tuple([z.string()], z.string()),
  resume: z.string().optional(),
  /** The mode of its session; absent: the one in which the agent asks, if it offers one by that name. */
  mode: z.string().optional(),
  /** The model of its session; absent: the agent's own choice. */
  model: z.string().optional(),
  /** Whether it may edit files. */
  edits: z.boolean(),
  /** Directories outside its working directory in which it may edit. */
  directories: z.array(z.string()),
  /** Directories outside it in which it may only read and run. */
  readable: z.array(z.string()),
  /** The file with the session's MCP servers in the protocol's form; they may contain secrets. */
  mcpFile: z.string().optional(),
});
export type AcpTask = z.infer<typeof AcpTask>;

/** MCP servers in the protocol's form; the agent starts them. */
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
 * One line of output from `wisp acp-turn`. `update` contains an agent's message unchanged; the other lines report
 * what wisp's side did.
 */
export type AcpLine =
  /** `model`: the one that wisp asks for; names that agents tell are those of a choice, such as `default`. */
  | { readonly type: "session"; readonly session: string; readonly model?: string | undefined }
  | { readonly type: "update"; readonly update: unknown }
  /** What the turn has used so far, tokens, and its session has cost so far; what is unknown is absent. */
  | {
      readonly type: "usage";
      readonly tokens?: Tokens | undefined;
      readonly costUsd?: number | undefined;
    }
  /** A permission that the agent requested and did not get. */
  | {
      readonly type: "refused";
      readonly id: string;
      readonly tool: string;
      readonly input: unknown;
    }
  /** The agent asked the user a question, which ends the turn. */
  | { readonly type: "asked"; readonly question: string }
  | {
      readonly type: "error";
      readonly message: string;
      readonly code?: string | undefined;
      /** The HTTP status of the provider's answer. */
      readonly status?: number | undefined;
    }
  | { readonly type: "result"; readonly stopReason: string; readonly usage: unknown };
