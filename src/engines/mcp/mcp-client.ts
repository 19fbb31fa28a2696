/** The places of a user's files, and the user's variables. */
export interface ClientPlaces {
  readonly home: string;
  readonly repository: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How to register an MCP server with a coding CLI, for the user's own conversations with it. */
export interface McpClient {
  /**
   * The path of its settings file: the repository's one, if the CLI supports it, because a server is about the
   * repository in which it is started.
   */
  path(places: ClientPlaces): string;
  readonly format: "json" | "toml";
  /** The key under which the servers are listed by name. */
  readonly key: string;
  /** The value under a server's name. */
  entry(command: readonly [string, ...string[]]): Readonly<Record<string, unknown>>;
}
