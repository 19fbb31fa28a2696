/** What a person wants to do, and the commands for it, in the order of the help. */
export const HELP_GROUPS: readonly HelpGroup[] = [
  { heading: "Begin:", names: ["demo", "init", "start"] },
  {
    heading: "See what happens:",
    names: ["status", "list", "watch", "log", "tail", "logs", "tasks", "findings", "cost"],
  },
  { heading: "See why:", names: ["report", "why"] },
  {
    heading: "Run and steer:",
    names: [
      "up",
      "plan",
      "edit",
      "stop",
      "resume",
      "answer",
      "update",
      "move",
      "restart",
      "attach",
      "agent",
    ],
  },
  { heading: "Judge and ship:", names: ["review", "revise", "done", "abandon"] },
  {
    heading: "Set up and repair:",
    names: ["engines", "doctor", "fsck", "prune", "mcp", "completion", "help"],
  },
];

export interface HelpGroup {
  /** With the colon that the help prints. */
  readonly heading: string;
  readonly names: readonly string[];
}

/** The heading of a command; `undefined` for one that is hidden. */
export function headingOf(name: string): string | undefined {
  return HELP_GROUPS.find(({ names }) => names.includes(name))?.heading;
}

/**
 * What a help lists, by heading: first the headings of commands in the order above, each with its commands in that
 * order, then all others as they come.
 */
export function grouped<T>(
  shown: readonly T[],
  headingOfItem: (item: T) => string,
  nameOf: (item: T) => string,
): Map<string, T[]> {
  const headings = [...HELP_GROUPS.map(({ heading }) => heading), ...shown.map(headingOfItem)];
  const groups = new Map<string, T[]>();
  for (const heading of new Set(headings)) {
    const order = HELP_GROUPS.find((group) => group.heading === heading)?.names ?? [];
    const items = shown.filter((item) => headingOfItem(item) === heading);
    items.sort((one, other) => order.indexOf(nameOf(one)) - order.indexOf(nameOf(other)));
    if (items.length > 0) groups.set(heading, items);
  }
  return groups;
}
