import type { Example } from "../rig/run-example.ts";

/*
 * The commands of README and docs for sessions elsewhere, and for several sessions. The tests have no host named
 * build-box and no cluster: a place on the same machine takes their place.
 */

/** In a repository with a request, whose builder waits in its first milestone. */
export const SENT: readonly Example[] = [
  {
    text: "wisp start request.md --on ssh:build-box",
    typed: ["wisp start request.md --on local --yes --detach"],
    says: /Session invoices on branch wisp\/invoices/u,
  },
  {
    text: "wisp start <request.md> --on EXECUTOR",
    typed: ["wisp start request.md --on local --branch wisp/again --yes --detach"],
    says: /Session again on branch wisp\/again/u,
  },
  {
    text: "wisp list --all",
    says: /^ *invoices .*\blocal\b/mu,
  },
  {
    text: "wisp list --all [--json]",
    typed: ["wisp list --all --json"],
    says: /"schema": "wisp\.list-all\/1"/u,
  },
];

/** The session elsewhere is stopped. */
export const STOPPED_THERE: readonly Example[] = [
  { text: "wisp edit", typed: ["wisp edit invoices"], says: /The plan is as it was/u },
  { text: "wisp edit [session]", typed: ["wisp edit invoices"], says: /The plan is as it was/u },
  { text: "wisp move invoices here", says: /invoices is here/u },
  {
    text: "wisp move invoices ssh:build-box",
    typed: ["wisp move invoices local"],
    says: /invoices is on local\./u,
  },
  {
    text: "wisp move invoices sprites",
    typed: ["wisp move invoices second"],
    says: /invoices is on second\./u,
  },
  {
    text: "wisp move <session> <executor> [--force] [--json]",
    typed: ["wisp move invoices second --json"],
    says: /./u,
  },
  {
    text: "wisp move invoices here --force",
    typed: ["wisp move invoices here --force --yes"],
    says: /invoices is here/u,
  },
];

/** In a repository with requests in a folder. */
export const MANY: readonly Example[] = [
  {
    text: "wisp start requests/*.md --max 3",
    typed: ["wisp start requests/one.md requests/two.md --max 3 --yes"],
    says: /one.*\n.*two/u,
  },
  {
    text: "wisp start <request.md>... [--max 3]",
    typed: ["wisp start requests/three.md requests/four.md --max 3 --yes"],
    says: /three.*\n.*four/u,
  },
  {
    text: "wisp start requests/*.md --on slurm --max 20",
    typed: ["wisp start requests/five.md requests/six.md --on local --max 20 --yes"],
    says: /five.*\n.*six/u,
  },
];
