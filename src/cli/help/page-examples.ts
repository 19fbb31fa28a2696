/** Examples of the commands that open something: a browser, or an editor. */
export const PAGE_EXAMPLES = {
  report: `
Examples:
  wisp report                   what happened, as Markdown (as with --md)
  wisp report invoices --html   as a page
  wisp report --json | jq '.milestones[].name'

It can be asked for at any time, also while the session runs, and when its files are damaged.`,
  watch: `
Examples:
  wisp watch --web              prints a link for a browser of this machine
  wisp watch invoices --web --port 7070

The link works once, in one browser. The page shows and changes nothing.`,
  edit: `
Examples:
  wisp stop                     only a stopped session's plan can be edited
  wisp edit                     opens TASKS.md in $VISUAL or $EDITOR
  wisp edit invoices
  wisp up                       continues with your plan

Also for a session that runs on another machine. A text that is not adopted is kept, and the next edit begins with it.`,
} as const;
