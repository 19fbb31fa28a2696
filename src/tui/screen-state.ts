import type { Role } from "../base/role.ts";
import type { EditedLine } from "./line-editor.ts";
import type {
  PaneName,
  QuestionFacts,
  ScreenSection,
  TailFacts,
} from "../views/screen/screen-facts.ts";
import type { PageFacts } from "../views/screen/page-facts.ts";
import type { OpenPage } from "./pages/open-page.ts";
import type { Search } from "./search-text.ts";
import type { TailPlace, TailRoom } from "./tail-place.ts";

/** What the screen asks the person. */
export type Prompt =
  | { readonly kind: "stop" }
  /** This role's engine is in a turn, which attaching would interrupt. */
  | { readonly kind: "attach"; readonly role: Role }
  | { readonly kind: "search"; readonly line: EditedLine }
  | { readonly kind: "answer"; readonly question: string; readonly line: EditedLine }
  /** Why the person decides so; confirmed before it is done. */
  | {
      readonly kind: "reason";
      readonly act: "dismiss" | "reject";
      /** Of the finding, or the digest of the plan. */
      readonly id: string;
      readonly line: EditedLine;
    }
  | { readonly kind: "sure"; readonly effect: DecidingEffect }
  /** The question was answered elsewhere while the person was typing; further typing is not treated as keys. */
  | { readonly kind: "answered"; readonly question: string };

/** Text for the answer to a question. */
interface BegunAnswer {
  readonly question: string;
  readonly line: EditedLine;
}

/** How keys scroll. */
export type Scroll = "up" | "down" | "page-up" | "page-down" | "begin" | "end";

/** Scrolling that waits until its output or page has been read. */
interface ScrollsAhead {
  /** The role or the page that it is about: it is dropped if another one is shown by then. */
  readonly of: string;
  readonly moves: readonly Scroll[];
}

/** What the person chose to see. */
export interface ScreenState {
  readonly mode: "summary" | "tail";
  /** The role whose output the tail shows, and whose engine `a` attaches to. */
  readonly role: Role;
  /** Where the visible part of the tail starts; undefined if the tail follows the end. */
  readonly place: TailPlace | undefined;
  /** The pane of the summary that keys scroll. */
  readonly focus: PaneName;
  /** The numbers of the first visible rows of the panes that were scrolled. */
  readonly places: Partial<Readonly<Record<PaneName, number | undefined>>>;
  /** The pages that are open, one over the other; the last one is shown in place of summary and tail. */
  readonly pages: readonly OpenPage[];
  /** What is looked for, in what keys scroll. */
  readonly search: Search | undefined;
  readonly isHelpOpen: boolean;
  readonly prompt: Prompt | undefined;
  /** An answer that was begun and put off. */
  readonly draft?: BegunAnswer | undefined;
  /** Text that was typed before the session was read; undefined if none was. */
  readonly ahead?: EditedLine | undefined;
  /** Scrolling of what is being read still; undefined if there was none. */
  readonly scrollsAhead?: ScrollsAhead | undefined;
  /** What happened to that text, or that nothing was found; shown until the next key. */
  readonly remark?: string | undefined;
}

export const FIRST_STATE: ScreenState = {
  mode: "summary",
  role: "builder",
  place: undefined,
  focus: "events",
  places: {},
  pages: [],
  search: undefined,
  isHelpOpen: false,
  prompt: undefined,
};

/** A list of the summary and how many of its rows are visible. */
export interface PaneGround {
  readonly section: ScreenSection;
  readonly room: number;
}

/** What is on the screen, which a key can refer to. */
export interface KeyGround {
  readonly questions: readonly QuestionFacts[];
  /** The question that has just appeared, so that nobody can have read it. */
  readonly unread?: string | undefined;
  /** Roles in a turn, which attaching would interrupt. */
  readonly atWork: readonly Role[];
  /** The panes of the summary; none if it has no room for panes. */
  readonly panes?: readonly PaneGround[] | undefined;
  /** What the tail of the chosen role can show; undefined if nothing. */
  readonly tail?: TailFacts | undefined;
  readonly room?: TailRoom | undefined;
  /** Whether another session is shown than the one that this command runs. */
  readonly isReadOnly?: boolean | undefined;
  /** The facts of the page that was asked for last, and the room for a page. */
  readonly page?: PageFacts | undefined;
  readonly pageRoom?: TailRoom | undefined;
}

/** A decision of the person, which is confirmed before. */
export type DecidingEffect =
  | { readonly kind: "dismiss"; readonly id: string; readonly why: string }
  /** `plan`: the digest of the plan that was on the screen. */
  | { readonly kind: "approve"; readonly plan: string }
  | { readonly kind: "reject"; readonly plan: string; readonly text: string };

/** What a key asks for besides a change of the screen. */
export type ScreenEffect =
  /** The same as Ctrl-C. */
  | { readonly kind: "interrupt" }
  /** Leaves the screen and keeps the session running. */
  | { readonly kind: "background" }
  | { readonly kind: "attach"; readonly role: Role }
  | { readonly kind: "answer"; readonly question: string; readonly text: string }
  /** Shows another session of the repository, read-only, or the one that this command runs. */
  | { readonly kind: "follow"; readonly session: string }
  | { readonly kind: "return" }
  | DecidingEffect;

export interface Pressed {
  readonly state: ScreenState;
  readonly effect: ScreenEffect | undefined;
}

/** A key that only changes the screen. */
export function changed(state: ScreenState, change: Partial<ScreenState>): Pressed {
  return { state: { ...state, ...change }, effect: undefined };
}
