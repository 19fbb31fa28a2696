/** The whole environment of a process. */
export type Environment = Readonly<Record<string, string>>;
