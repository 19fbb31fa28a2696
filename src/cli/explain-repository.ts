import type { NoIdentity } from "../git/identity.ts";
import type { RepositoryFailure } from "../git/repository.ts";
import { shown, type Words } from "./explanation.ts";
import type { BranchFailure, BranchRewritten, Untrusted } from "./failures.ts";
import { shellWord } from "./shell-word.ts";

type Failure =
  | Exclude<RepositoryFailure, { kind: "git" }>
  | BranchFailure
  | BranchRewritten
  | NoIdentity
  | Untrusted;

/** Words for what is wrong with a repository or a branch. */
export function explainRepository(failure: Failure): Words {
  switch (failure.kind) {
    case "not-a-repository":
      return [
        `${shown(failure.directory)} is not in a git repository.`,
        "wisp works on a repository with at least one commit. To make one:",
        "git init",
        "git add --all && git commit --message 'Begin'",
      ];
    case "bare":
      return [
        `${shown(failure.directory)} is a bare git repository.`,
        "wisp keeps a session's files beside the code. Call it in a clone:",
        `git clone ${shellWord(shown(failure.directory))}`,
      ];
    case "no-commits":
      return [
        `The repository ${shown(failure.directory)} has no commit to start from.`,
        "Make the first one:",
        "git add --all && git commit --message 'Begin'",
      ];
    case "no-identity":
      return [
        `git does not know whom to name as the author of commits: ${failure.missing.join(" and ")} not set.`,
        "Set them:",
        'git config --global user.name "Your Name"',
        'git config --global user.email "you@example.com"',
      ];
    case "bad-branch-name":
      return [
        `git does not take ${quote(failure.branch)} as the name of a branch.`,
        "Choose another with --branch, such as feature/invoices.",
      ];
    case "branch-exists":
      return [
        `There is a branch ${quote(failure.branch)} already, and a session needs one of its own.`,
        "Choose another with --branch, or leave it out: then one is made for the session.",
      ];
    case "branch-checked-out":
      return [
        `The branch ${quote(failure.branch)} is checked out in ${shown(failure.directory)}.`,
        "A session needs a branch that is not checked out anywhere. Choose another with --branch.",
      ];
    case "branch-rewritten":
      return explainRewritten(failure);
    case "untrusted":
      return explainUntrusted(failure);
  }
}

function explainUntrusted({ command }: Untrusted): Words {
  return [
    "Nobody has agreed to what the settings of this repository have run, and nobody is there to be asked.",
    "Your own settings say `trust: ask`. Look at the list, and if all of it may run:",
    command,
  ];
}

function explainRewritten({ branch, repository, recorded, session }: BranchRewritten): Words {
  const git = `git -C ${shellWord(repository)}`;
  return [
    `The branch ${quote(branch)} was rewritten or deleted: ${recorded.slice(0, 12)}, which the session ` +
      "has on record, is not on it any more.",
    "wisp forces nothing. To put the branch back to that commit, and go on:",
    `${git} branch --force ${shellWord(branch)} ${recorded}`,
    `wisp up ${session}`,
  ];
}

function quote(branch: string): string {
  return `'${shown(branch)}'`;
}
