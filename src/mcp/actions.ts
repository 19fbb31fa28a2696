import type {
  AbandonInput,
  AnswerInput,
  ApproveInput,
  FindingsInput,
  RejectInput,
  ResumeInput,
  RevisionInput,
  ReviewInput,
  StartInput,
  StatusInput,
} from "./inputs.ts";

/** A tool's result: text for the reader, and the same as an object. */
export interface Answer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether nothing was done; the text explains why. */
  readonly isError: boolean;
}

/** How long-running calls report that they are still alive. */
export interface Watch {
  readonly signal: AbortSignal;
  /** Seconds elapsed and total, and the state of the work. */
  readonly progress: (at: { readonly seconds: number; readonly of: number }, says: string) => void;
}

/** Files of a session that can be read as they are. */
export const DOCUMENTS = ["PROGRESS.txt", "REVIEWS.md", "BUGS.md", "TASKS.md"] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** A file of a session; the session is named by its id. */
export interface DocumentPlace {
  readonly session: string;
  readonly name: DocumentName;
}

/** What the server can do, with the same functions and files as the commands. */
export interface Actions {
  startSession(input: StartInput, watch: Watch): Promise<Answer>;
  workStatus(input: StatusInput, watch: Watch): Promise<Answer>;
  reviewChanges(input: ReviewInput): Promise<Answer>;
  requestRevision(input: RevisionInput): Promise<Answer>;
  approveChanges(input: ApproveInput): Promise<Answer>;
  rejectChanges(input: RejectInput): Promise<Answer>;
  answerQuestion(input: AnswerInput): Promise<Answer>;
  resumeSession(input: ResumeInput): Promise<Answer>;
  abandonRevision(input: AbandonInput): Promise<Answer>;
  listFindings(input: FindingsInput): Promise<Answer>;
  /** The documents that exist now, of all sessions. */
  documents(): readonly DocumentPlace[];
  /** Undefined if there is no such session, or no such file of it. */
  readDocument(place: DocumentPlace): string | undefined;
}
