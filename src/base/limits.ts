/** Every bound of wisp in one place; each name ends in its unit and in Max or Min where it is a bound. */

/** One record, newline included. A longer line is quarantined, never parsed. */
export const LINE_BYTES_MAX = 1024 * 1024;
/** One read of a log. */
export const READ_CHUNK_BYTES = 256 * 1024;
/** A file read whole: request, plan, TASKS.md. */
export const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;
/** One text field of a finding, after cleaning. */
export const FINDING_TEXT_CHARS_MAX = 2_000;
/** Names of failing tests that one finding is about; more are another one's. */
export const FINDING_NAMES_MAX = 50;
/** Of the name of a test. */
export const TEST_NAME_CHARS_MAX = 300;
/** Findings of one turn; more are counted, and said, but not recorded. */
export const FINDINGS_PER_TURN_MAX = 50;
/** Findings of all reviewers of one range; they stand in one record. */
export const FINDINGS_PER_REVIEW_MAX = 200;
/** Fixes in a row that leave the lines in question as they were, before an item is left to a person. */
export const STALE_FIXES_MAX = 2;
/** Turns of reviewers at the same time, each in a clone of its own. */
export const REVIEW_LANES_MAX = 6;
/** Commits of wisp's own that are reviewed with their milestone, or together, and not one by one. */
export const COVERED_COMMITS_MAX = 5;
/** A change of no more files and lines is small: its reviewers share a turn where nothing else is said. */
export const SMALL_CHANGE_FILES_MAX = 20;
export const SMALL_CHANGE_LINES_MAX = 400;
/** Explanations and reasons in records. */
export const REASON_CHARS_MAX = 1_000;
/** What is typed before a screen has read its session: an answer is no longer. In UTF-16 code units. */
export const TYPED_AHEAD_CHARS_MAX = 1_000;

/** Of the words that name the calls of a turn that were refused. */
export const REFUSED_CHARS_MAX = 500;
/** What a turn says of why attempts stall, after cleaning. */
export const HINT_CHARS_MAX = 6_000;
/** Attempts without progress that such a turn is told of, the newest. */
export const HINT_ATTEMPTS_MAX = 5;
/** Milestones of a plan, and tasks of a milestone before it is refused outright. */
export const MILESTONES_MAX = 200;
export const TASKS_PER_MILESTONE_MAX = 100;
/** The sizing rule of seed 003: above this the planner is asked once to split. */
export const TASKS_PER_MILESTONE_ADVISED_MAX = 5;
/** Names become parts of unit keys, percent-encoded (up to nine characters for one), which end at 2000. */
export const MILESTONE_NAME_CHARS_MAX = 200;
/** The line of one task, or of one of its steps. */
export const TASK_TEXT_CHARS_MAX = 1_000;
/** Names and task texts of a whole plan: they travel in one record, escaped twice. */
export const PLAN_CHARS_MAX = 200_000;
/** A Markdown parser's time grows with the square of lines, and of lists: a hostile plan ends here. */
export const TASKS_CHARS_MAX = 512 * 1024;
/** A line counts once for each list or quote marker that it begins with. */
export const TASKS_LINES_MAX = 5_000;
/** White space and markers before the content of a line. */
export const TASKS_INDENT_CHARS_MAX = 80;

/** chokidar says nothing for 50 ms after an event: every hint earns a second look after that silence. */
export const TRAILING_READ_MS = 60;
/** Correctness never depends on hints: every so often each log's size is looked at regardless. */
export const SWEEP_MS = 5_000;
/** And so often where the system gives no file events. */
export const POLL_MS = 1_000;

/** Backoff between the attempts of a planner, reviewer or tester unit. */
export const UNIT_BACKOFF_MS_MIN = 500;
export const UNIT_BACKOFF_MS_MAX = 30_000;

/** Retries of a turn whose provider was overloaded or out of reach, and the backoff between them. */
export const TURN_RETRIES_MAX = 4;
export const TURN_RETRY_MS_MIN = 2_000;
export const TURN_RETRY_MS_MAX = 60_000;

/** Publishing: attempts, and the backoff for the local hub and for remotes (seed 003, D). */
export const PUBLISH_ATTEMPTS_MAX = 3;
export const PUBLISH_HUB_BACKOFF_MS_MIN = 20;
export const PUBLISH_REMOTE_BACKOFF_MS_MIN = 5_000;

/** From TERM to KILL of an engine's process group. */
export const STOP_GRACE_MS = 5_000;
/** From TERM to KILL of a role by its supervisor. */
export const ROLE_STOP_GRACE_MS = 10_000;

/** The command that tells a person of a question. */
export const NOTIFY_MS_MAX = 10_000;

/** Supervision: restart backoff, and what counts as a crash loop. */
export const RESTART_BACKOFF_MS_MIN = 500;
export const RESTART_BACKOFF_MS_MAX = 30_000;
export const RESTART_HEALTHY_MS = 60_000;
export const CRASH_LOOP_COUNT = 5;
export const CRASH_LOOP_WINDOW_MS = 60_000;

/** Output of a verify command kept for the next prompt, from its end. */
export const VERIFY_TAIL_CHARS_MAX = 8_000;

/** Trees for verify of one session: the second is for who finds the first in use. */
export const VERIFY_TREES_MAX = 2;
/** How often a role that finds them all in use looks again. */
export const TREE_WAIT_MS_MIN = 50;
export const TREE_WAIT_MS_MAX = 1_000;
/** How often the lock of such a tree may be lost under one use of it, which begins again each time. */
export const TREE_LOSSES_MAX = 3;
/** Mounts for what setup made in such a tree; each makes a start dearer. What is beyond is compared instead. */
export const TREE_MOUNTS_MAX = 300;
/** What is remembered of such a tree: it names each topmost path that setup made. */
export const TREE_STATE_BYTES_MAX = 64 * 1024 * 1024;

/** The command that shows a bug: how long it may take, how much it may print, how many of one turn are run. */
export const BUG_COMMAND_MS_MAX = 120_000;
export const BUG_OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
export const BUG_COMMANDS_PER_TURN_MAX = 20;
/** Of what it printed, the end that stands in records, files and prompts. */
export const BUG_OUTPUT_TAIL_CHARS_MAX = 1_000;

/**
 * A larger file that commits bring is named. Sources, lock files and pictures of documents stay below it; what is
 * larger (builds, archives, recordings, data) stays in the history, and in every clone, for good.
 */
export const BROUGHT_BLOB_BYTES_MAX = 5 * 1024 * 1024;
/** Links of a tree that are followed; of more, no one says where they lead. */
export const LINKS_FOLLOWED_MAX = 5_000;
/** No system follows a path that is longer. */
export const LINK_TARGET_BYTES_MAX = 4_096;
/** Of the diff of a range, what a turn that looks at it is given as a file. */
export const RANGE_DIFF_BYTES_MAX = 8 * 1024 * 1024;
/** Clocks may differ, and time zones be set wrongly: only what is further off is named. */
export const COMMIT_SKEW_MS_MAX = 24 * 60 * 60_000;

/** `.wisp/config.yaml`: its length, and how deep lists and mappings may nest (a YAML parser recurses). */
export const CONFIG_CHARS_MAX = 64 * 1024;
export const CONFIG_DEPTH_MAX = 30;
/** Problems of the settings that are told at once. */
export const CONFIG_PROBLEMS_MAX = 50;

/** Revisions that a review may ask for before a person has to take the work in hand (seed 001). */
export const REQUESTED_REVISIONS_MAX = 3;
/** What a review says of finished work: its feedback, what it adds as context, and the comments on lines. */
export const FEEDBACK_CHARS_MAX = 32_000;
export const FEEDBACK_CONTEXT_CHARS_MAX = 16_000;
export const FEEDBACK_COMMENTS_MAX = 50;
/** Points of one feedback: each is a task of one milestone. */
export const FEEDBACK_POINTS_MAX = 50;
/** After so long with nobody at work on a session its clones are released (seed 001, "auto-cleanup"). */
export const HIBERNATE_MS = 60 * 60_000;
/** Of a diff that is shown inside JSON; the rest is counted, and read by git. */
export const REVIEW_DIFF_CHARS_MAX = 100_000;

/** What a client of the MCP server may send: one message, the text of a request, a name of something. */
/** A turn of a revision that made more commits keeps their subjects as they are. */
export const REWORDED_COMMITS_MAX = 1_000;
export const MCP_MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
export const MCP_REQUEST_CHARS_MAX = 400_000;
export const MCP_NAME_CHARS_MAX = 500;
/** How long a call may wait for work to end, how often it looks, and how often it says so. */
export const MCP_WAIT_SECONDS_MAX = 600;
export const MCP_LOOK_MS = 1_000;
export const MCP_PROGRESS_MS = 5_000;
/** The configuration of a client of the MCP server. */
export const CONFIG_CLIENT_BYTES_MAX = 1024 * 1024;
