/** Where a person's files and variables are. */
export interface ClientPlaces {
  readonly home: string;
  readonly repository: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How a coding CLI, as a client, is told of an MCP server for the conversations that a person has with it. */
export interface McpClient {
  /**
   * Its file of settings: that of the repository, where it has one, since a server is about the repository that
   * it is started in.
   */
  path(places: ClientPlaces): string;
  readonly format: "json" | "toml";
  /** The key that has the servers by name. */
  readonly key: string;
  /** What stands under the name of a server. */
  entry(command: readonly [string, ...string[]]): Readonly<Record<string, unknown>>;
}
