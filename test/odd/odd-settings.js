// Settings of git that a machine or a person may have, and that no test may notice.

/** Files in the folder that `folder` names, for a system and for a person: content by name. */
export function oddFiles(folder) {
  const config = `
[filter "lfs"]
	clean = git-lfs clean -- %f
	smudge = git-lfs smudge -- %f
	process = git-lfs filter-process
	required = true
[filter "odd"]
	clean = tr a-z A-Z
[core]
	autocrlf = true
	hooksPath = ${folder}/hooks
	quotePath = false
	fsmonitor = ${folder}/hooks/fsmonitor
	untrackedCache = true
	excludesFile = ${folder}/ignore
	attributesFile = ${folder}/attributes
	editor = false
	pager = false
	fileMode = false
	ignoreCase = true
	abbrev = 20
	commentChar = "%"
	sharedRepository = group
	logAllRefUpdates = false
[init]
	defaultBranch = trunk
	templateDir = ${folder}/template
	defaultObjectFormat = sha256
[commit]
	gpgSign = true
	template = ${folder}/ignore
	verbose = true
	cleanup = verbatim
[tag]
	gpgSign = true
	sort = -refname
[gpg]
	program = false
[push]
	default = nothing
	gpgSign = if-asked
	followTags = true
[pull]
	rebase = interactive
	ff = only
[fetch]
	prune = true
	pruneTags = true
	fsckObjects = true
	writeCommitGraph = true
[transfer]
	hideRefs = refs/wisp
[merge]
	conflictStyle = zdiff3
	ff = false
	log = true
[rebase]
	autoStash = true
	updateRefs = true
[diff]
	noprefix = true
	mnemonicPrefix = true
	renames = copies
	external = false
	context = 9
	algorithm = patience
	ignoreSubmodules = all
	orderFile = ${folder}/ignore
[status]
	short = true
	branch = true
	showUntrackedFiles = no
	relativePaths = false
[log]
	showSignature = true
	date = relative
	decorate = full
	follow = true
[format]
	pretty = fuller
[color]
	ui = always
[column]
	ui = always
[help]
	autoCorrect = immediate
[branch]
	autoSetupMerge = always
	autoSetupRebase = always
	sort = -committerdate
[advice]
	detachedHead = true
[i18n]
	commitEncoding = ISO-8859-1
	logOutputEncoding = ISO-8859-1
[index]
	version = 4
[feature]
	manyFiles = true
[gc]
	auto = 1
[receive]
	denyNonFastForwards = true
[user]
	name = Odd Machine
	email = odd@example.invalid
	useConfigOnly = true
	signingKey = none
[credential]
	helper = false
[protocol]
	allow = never
	version = 0
[safe]
	bareRepository = explicit
[alias]
	wip = !false
[url "file://${folder}/nowhere/"]
	insteadOf = /
	pushInsteadOf = /
`;
  return {
    config: config,
    attributes: "* text eol=crlf filter=odd diff=odd\n*.bin filter=lfs diff=lfs merge=lfs -text\n",
    ignore: "*.txt\n*.js\nsrc/\n",
    "template/hooks/pre-commit": "#!/bin/sh\nexit 1\n",
    ...Object.fromEntries(
      [
        "pre-commit",
        "commit-msg",
        "post-checkout",
        "reference-transaction",
        "pre-push",
        "fsmonitor",
      ].map((name) => [`hooks/${name}`, "#!/bin/sh\nexit 1\n"]),
    ),
  };
}

/** Variables of a person's shell, a hook of git, or a job, in which somebody starts the tests. */
export function oddVariables(folder) {
  return {
    GIT_CONFIG_SYSTEM: `${folder}/config`,
    GIT_CONFIG_GLOBAL: `${folder}/config`,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.autocrlf",
    GIT_CONFIG_VALUE_0: "true",
    GIT_CONFIG_PARAMETERS: "'core.editor'='false'",
    GIT_DIR: `${folder}/nowhere`,
    GIT_WORK_TREE: `${folder}/nowhere`,
    GIT_INDEX_FILE: `${folder}/nowhere/index`,
    GIT_OBJECT_DIRECTORY: `${folder}/nowhere/objects`,
    GIT_COMMON_DIR: `${folder}/nowhere`,
    GIT_NAMESPACE: "odd",
    GIT_PREFIX: "odd/",
    GIT_TEMPLATE_DIR: `${folder}/template`,
    GIT_DEFAULT_HASH: "sha256",
    GIT_AUTHOR_NAME: "Odd Person",
    GIT_AUTHOR_EMAIL: "odd@example.invalid",
    GIT_AUTHOR_DATE: "2001-02-03T04:05:06Z",
    GIT_COMMITTER_NAME: "Odd Person",
    GIT_COMMITTER_EMAIL: "odd@example.invalid",
    GIT_COMMITTER_DATE: "2001-02-03T04:05:06Z",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    GIT_PAGER: "false",
    GIT_EXTERNAL_DIFF: "false",
    GIT_SSH_COMMAND: "false",
    GIT_ASKPASS: "false",
    GIT_TRACE: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_MERGE_AUTOEDIT: "yes",
    EDITOR: "false",
    VISUAL: "false",
    PAGER: "false",
    LC_ALL: "tr_TR.UTF-8",
    LANGUAGE: "de",
    TZ: "Pacific/Chatham",
  };
}
