/** All limits of wisp in one place. Each name ends in its unit, and in MAX or MIN if it is a bound. */

/** The length of one record, newline included. A longer line is quarantined and never parsed. */
export const LINE_BYTES_MAX = 4 * 1024 * 1024;
/** The length of one read of a log. */
export const READ_CHUNK_BYTES = 256 * 1024;
/** The size of a file that is read as a whole: a request, a plan, TASKS.md. */
export const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;
/** The size of a trace, which is cut there: what viewers in a browser open without trouble. */
export const TRACE_BYTES_MAX = 256 * 1024 * 1024;
/** The length of one text field of a finding, after cleaning. */
export const FINDING_TEXT_CHARS_MAX = 2_000;
/** The number of failing tests that one finding lists; any further ones go into another finding. */
export const FINDING_NAMES_MAX = 50;
/** The length of a test's name, its file and the titles around it included. */
export const TEST_NAME_CHARS_MAX = 300;
/** The failing tests of one run that are named. If there are more, two runs are compared by their totals. */
export const FAILING_TESTS_MAX = 500;
/** Findings per turn. Further ones are counted and reported, but not recorded. */
export const FINDINGS_PER_TURN_MAX = 50;
/** Findings of all reviewers of one range, which share one record. */
export const FINDINGS_PER_REVIEW_MAX = 200;
/** Successive fixes that leave the lines in question unchanged, before an item is left to a person. */
export const STALE_FIXES_MAX = 2;
/** Concurrent turns of reviewers, each in its own clone. */
export const REVIEW_LANES_MAX = 6;
/** Commits by wisp itself that are reviewed with their milestone or together, and not one by one. */
export const COVERED_COMMITS_MAX = 5;
/** A change with at most this many files and lines is small: by default its reviewers share a turn. */
export const SMALL_CHANGE_FILES_MAX = 20;
export const SMALL_CHANGE_LINES_MAX = 400;
/** The length of explanations and reasons in records. */
export const REASON_CHARS_MAX = 1_000;
/** The length of what is typed before a screen has read its session; no answer is longer. In UTF-16 code units. */
export const TYPED_AHEAD_CHARS_MAX = 1_000;
/** The length of a pasted text as it arrives from the terminal; what follows is dropped. In UTF-16 code units. */
export const PASTE_CHARS_MAX = 64 * 1024;
/** The length of a key's sequence from the terminal. A longer one is no key, and only its end is waited for. */
export const KEY_SEQUENCE_CHARS_MAX = 64;

/** The length of the text that lists a turn's refused calls. */
export const REFUSED_CHARS_MAX = 500;
/** The length of a turn's explanation of why attempts stall, after cleaning. */
export const HINT_CHARS_MAX = 6_000;
/** How many attempts without progress such a turn is told about; the newest ones. */
export const HINT_ATTEMPTS_MAX = 5;
/** Milestones of a plan, and tasks of a milestone; a plan with more is refused outright. */
export const MILESTONES_MAX = 5_000;
export const TASKS_PER_MILESTONE_MAX = 100;
/** The sizing rule of seed 003: above this number the planner is asked once to split the milestone. */
export const TASKS_PER_MILESTONE_ADVISED_MAX = 5;
/** Names become parts of unit keys, percent-encoded (up to nine characters for one); keys are limited to 2000. */
export const MILESTONE_NAME_CHARS_MAX = 200;
/** The length of the line of a task, or of one of its steps. */
export const TASK_TEXT_CHARS_MAX = 1_000;
/**
 * The size of all names and task texts of a plan as one field of a record, where they are escaped twice. The record may
 * also name all milestones twice, with their ticked and their cleared boxes, and neither list is longer than the plan.
 */
export const PLAN_BYTES_MAX = 1024 * 1024;
/** The length of a document that is read as Markdown. */
export const TASKS_CHARS_MAX = 1024 * 1024;
/** Its lines; one counts once for each list or quote marker at its start. */
export const TASKS_LINES_MAX = 100_000;
/**
 * Such lines from one heading to the next. A Markdown parser's time grows with the square of the number of lines and
 * lists, so the sum of the squares of all sections is limited to the square of this; it stops a hostile plan.
 */
export const TASKS_SECTION_LINES_MAX = 5_000;
/** The length of white space and markers before the content of a line. */
export const TASKS_INDENT_CHARS_MAX = 80;

/** How often each log's size is checked regardless of hints, so that correctness never depends on them. */
export const SWEEP_MS = 5_000;
/** How often it is checked if the system gives no file events. */
export const POLL_MS = 1_000;

/** The delay between the attempts of a planner, reviewer or tester unit. */
export const UNIT_BACKOFF_MS_MIN = 500;
export const UNIT_BACKOFF_MS_MAX = 30_000;

/** Retries of a turn whose provider was overloaded or unreachable, and the delay between them. */
export const TURN_RETRIES_MAX = 4;
export const TURN_RETRY_MS_MIN = 2_000;
export const TURN_RETRY_MS_MAX = 60_000;

/** Attempts to publish, and the delay between them, for the local hub and for remotes (seed 003, D). */
export const PUBLISH_ATTEMPTS_MAX = 3;
export const PUBLISH_HUB_BACKOFF_MS_MIN = 20;
export const PUBLISH_REMOTE_BACKOFF_MS_MIN = 5_000;

/** The time between TERM and KILL for an engine's process group. */
export const STOP_GRACE_MS = 5_000;
/** The time between TERM and KILL when a supervisor stops a role. */
export const ROLE_STOP_GRACE_MS = 10_000;

/** How much of the end of a program's standard error is kept to explain how it ended, in UTF-16 code units. */
export const STDERR_TAIL_CHARS_MAX = 4_000;
/** The time limit of a short command at an executor, such as one that copies nothing and starts nothing. */
export const FAR_COMMAND_MS_MAX = 60_000;
/** The time limit for a coding CLI to say whether it is logged in, which takes it a second. */
export const LOGIN_ANSWER_MS_MAX = 15_000;
/** The time limit of a copy to or from an executor. */
export const FAR_COPY_MS_MAX = 60 * 60_000;

/** How often the keeper of a session at a place checks a supervisor that is not its own. */
export const KEEP_LOOK_MS = 1_000;
/** How many supervisors a keeper starts: one that ends again and again is not helped by another start. */
export const KEEP_STARTS_MAX = 10;
/** How often a place tells that it is there, and the silence after which its link counts as broken. */
export const BEAT_MS = 10_000;
export const LINK_SILENCE_MS_MAX = 30_000;
/** One frame of a mirror: its bytes, and its header. A larger file is sent in parts. */
export const FRAME_BYTES_MAX = 256 * 1024;
export const FRAME_HEADER_BYTES_MAX = 64 * 1024;
/** The files of a mirror: how many there may be, the length of a path in UTF-16 code units, and its parts. */
export const MIRROR_FILES_MAX = 200_000;
export const MIRROR_PATH_CHARS_MAX = 1_000;
export const MIRROR_DEPTH_MAX = 12;
/** What a follower says that it has. */
export const MIRROR_REQUEST_BYTES_MAX = 64 * 1024 * 1024;
/** How long changes of a home are gathered before they are looked at. */
export const MIRROR_GATHER_MS = 50;
/** How often, and how long, a command waits for the mirror of a session to be whole. */
export const MIRROR_LOOK_MS = 50;
export const MIRROR_WAIT_MS_MAX = 60_000;
/** How long a command that looks at a session waits for the first news of it. */
export const FIRST_NEWS_MS_MAX = 3_000;
/** How long the process that follows a session may take to end. */
export const MIRROR_LEAVE_MS_MAX = 10_000;
/** How long a command for a session that runs elsewhere tries to reach its place, and how often it is begun again. */
export const FAR_RUN_SILENCE_MS_MAX = 120_000;
export const FAR_RUN_ENDS_MAX = 5;
/** How large a bundle of a person's commits may be that is sent to the place of a session, in bytes. */
export const SENT_COMMITS_BYTES_MAX = 2 * 1024 * 1024 * 1024;
/** How often a place tries to take commits that another process is in the way of. */
export const TAKE_COMMITS_TRIES_MAX = 5;
/** The steps of one move; more means that something undoes them again and again. */
export const MOVE_STEPS_MAX = 40;
/** How often a start looks whether its place is up. */
export const PLACE_LOOK_MS = 1_000;
/** How long a start waits for a place at which nothing runs, and of which nobody says that it will. */
export const PLACE_DOWN_MS_MAX = 5 * 60_000;
/** The delay between the attempts to reach a place again. */
export const LINK_BACKOFF_MS_MIN = 1_000;
export const LINK_BACKOFF_MS_MAX = 60_000;

/** The time limit of the command that notifies a person of a question. */
export const NOTIFY_MS_MAX = 10_000;

/** Supervision: the restart delay, and the definition of a crash loop. */
export const RESTART_BACKOFF_MS_MIN = 500;
export const RESTART_BACKOFF_MS_MAX = 30_000;
export const RESTART_HEALTHY_MS = 60_000;
export const CRASH_LOOP_COUNT = 5;
export const CRASH_LOOP_WINDOW_MS = 60_000;

/** How much of the end of a verify command's output is kept for the next prompt. */
export const VERIFY_TAIL_CHARS_MAX = 8_000;

/** Work trees for verify per session; the second is for a role that finds the first in use. */
export const VERIFY_TREES_MAX = 2;
/** How often a role that finds all of them in use checks again. */
export const TREE_WAIT_MS_MIN = 50;
export const TREE_WAIT_MS_MAX = 1_000;
/** Verify trees that may be in use at once on a machine, by all sessions of one person; others wait. */
export const SLOTS_MAX = 50;
/** How often the lock of such a tree may be lost during one use, which starts over each time. */
export const TREE_LOSSES_MAX = 3;
/** Mounts for what setup made in such a tree; each slows down a start. Anything beyond is compared instead. */
export const TREE_MOUNTS_MAX = 300;
/** The size of the stored state of such a tree, which lists each topmost path that setup made. */
export const TREE_STATE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * While another process fills the store of shared objects: how often a role looks whether that is done, how often it
 * tries the lock, and how long it waits in all, which is more than the copy of a very large repository takes.
 */
export const STORE_LOOK_MS = 10;
export const STORE_RETRY_MS = 100;
export const STORE_WAIT_MS_MAX = 10 * 60_000;
/** How often a copy is begun because the repository is repacked meanwhile. */
export const STORE_COPIES_MAX = 3;
/** Files of objects that are copied at the same time. */
export const STORE_FILES_MAX = 16;
/** The size of a clone's files above which the clone of a role that waits is removed if it has nothing of its own. */
export const RESTING_CLONE_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Sizes from which a new clone shares contents with the user's work tree: of all its files, and of each; and how many
 * are shared at once.
 */
export const SHARED_TREE_BYTES_MIN = 1024 * 1024;
export const SHARED_FILE_BYTES_MIN = 4 * 1024;
export const SHARED_FILES_AT_ONCE_MAX = 16;
/** The size of the list of a store's files. */
export const STORE_RECORD_BYTES_MAX = 4 * 1024 * 1024;

/** The command that reproduces a bug: its time limit, its output limit, and how many are run per turn. */
export const BUG_COMMAND_MS_MAX = 120_000;
export const BUG_OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
export const BUG_COMMANDS_PER_TURN_MAX = 20;
/** How much of the end of its output goes into records, files and prompts. */
export const BUG_OUTPUT_TAIL_CHARS_MAX = 1_000;

/**
 * Files added by commits are reported above this size. Sources, lock files and pictures in documents are smaller;
 * larger files (builds, archives, recordings, data) stay in the history, and in every clone, forever.
 */
export const BROUGHT_BLOB_BYTES_MAX = 5 * 1024 * 1024;
/** Links of a tree that are followed; where any further ones lead is reported as unknown. */
export const LINKS_FOLLOWED_MAX = 5_000;
/** No operating system follows a longer path. */
export const LINK_TARGET_BYTES_MAX = 4_096;
/** How much of a range's diff a turn that inspects the range is given as a file. */
export const RANGE_DIFF_BYTES_MAX = 8 * 1024 * 1024;
/** Clocks may differ and time zones be wrong; only a larger difference is reported. */
export const COMMIT_SKEW_MS_MAX = 24 * 60 * 60_000;

/** `.wisp/config.yaml`: its length, and how deeply lists and mappings may nest (a YAML parser recurses). */
export const CONFIG_CHARS_MAX = 64 * 1024;
export const CONFIG_DEPTH_MAX = 30;
/** Problems of the settings that are reported at once. */
export const CONFIG_PROBLEMS_MAX = 50;

/** How much of a plan's digest people see, in hex digits. */
export const PLAN_DIGEST_SHOWN_CHARS = 12;
/** The newest sessions of a repository from which the cost of a plan is estimated. */
export const PAST_SESSIONS_MAX = 50;

/** Revisions that a review may request before a person must step in (seed 001). */
export const REQUESTED_REVISIONS_MAX = 3;
/**
 * A review of finished work: the length of its feedback and of its added context, and the number of comments on
 * lines.
 */
export const FEEDBACK_CHARS_MAX = 32_000;
export const FEEDBACK_CONTEXT_CHARS_MAX = 16_000;
export const FEEDBACK_COMMENTS_MAX = 50;
/** Points of one feedback; each becomes a task of one milestone. */
export const FEEDBACK_POINTS_MAX = 50;
/** A session's clones are released after nobody has worked on it for this long (seed 001, "auto-cleanup"). */
export const HIBERNATE_MS = 60 * 60_000;
/** How much of a diff is shown inside JSON; the rest is only counted, and can be read with git. */
export const REVIEW_DIFF_CHARS_MAX = 100_000;

/** The newest sessions of a repository that the screen lists. */
export const SESSIONS_SHOWN_MAX = 200;
/** How much of a commit's diff the screen shows: its bytes, its lines, and the length of each line. */
export const DIFF_SHOWN_BYTES_MAX = 1024 * 1024;
export const DIFF_SHOWN_LINES_MAX = 5_000;
export const DIFF_LINE_CHARS_MAX = 2_000;

/** In a revision, a turn with more commits than this keeps their subjects unchanged. */
export const REWORDED_COMMITS_MAX = 1_000;

/** What a client of the MCP server may send: the length of a message, of a request's text, and of a name. */
export const MCP_MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
export const MCP_REQUEST_CHARS_MAX = 400_000;
export const MCP_NAME_CHARS_MAX = 500;
/** How long a call may wait for work to end, how often it checks, and how often it reports progress. */
export const MCP_WAIT_SECONDS_MAX = 600;
export const MCP_LOOK_MS = 1_000;
export const MCP_PROGRESS_MS = 5_000;
/** After how long a call is answered whose start goes on elsewhere: clients give up after a minute. */
export const MCP_START_MS_MAX = 45_000;
/** The size of the configuration file of an MCP client. */
export const CONFIG_CLIENT_BYTES_MAX = 1024 * 1024;

/** How many files and folders `wisp prune` measures; sizes beyond that are minimums. */
export const DISK_ENTRIES_MAX = 2_000_000;
/** How long a folder that no session claims is left alone: it may be that of a session that is just being created. */
export const LEFTOVER_MS_MIN = 24 * 60 * 60_000;
/** `wisp watch --web`: what a request may have, in its headers, in its body, and in time until it is complete. */
export const WEB_HEADERS_BYTES_MAX = 8 * 1024;
export const WEB_BODY_BYTES_MAX = 256;
export const WEB_REQUEST_MS_MAX = 10_000;
/** Its connections, and the pages that are kept up to date. */
export const WEB_CONNECTIONS_MAX = 64;
export const WEB_PAGES_MAX = 16;
/** The longest report that is shown live. A page that does not read is owed one, and one list of sessions. */
export const WEB_MESSAGE_CHARS_MAX = 16 * 1024 * 1024;
/** The sessions that a page lists, the newest ones; of the newest of these every change is seen at once. */
export const WEB_SESSIONS_MAX = 200;
export const WEB_SESSIONS_WATCHED_MAX = 50;
/** Changes within this interval are shown together. */
export const WEB_UPDATE_MS = 400;
/** After an update, as many times what it took pass before the next one: a long session takes a quarter of a CPU. */
export const WEB_REST_RATIO = 3;
/** How often a page is told that all is well. One that has read nothing from one time to the next is left. */
export const WEB_BEAT_MS = 10_000;
/** How often what lasts until now is drawn again, while somebody is at work on it. */
export const WEB_REDRAW_MS = 15_000;
/** How long pages have to read that it ends. */
export const WEB_END_MS_MAX = 500;

/** How many records one look at a fleet appends to share what its sessions did not use of their budgets. */
export const GRANTS_AT_ONCE_MAX = 200;
/** The folders of the state directory in which `wisp list --all` looks for other repositories. */
export const KNOWN_REPOSITORIES_MAX = 1_000;
