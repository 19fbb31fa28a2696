import { explain } from "../../base/explain.ts";
import { attempted } from "../../base/fatal.ts";
import { cleanSpan, row } from "../../views/rows/row.ts";
import { pageKey, type Page, type PageFacts } from "../../views/screen/page-facts.ts";
import type { PageGround, PageLoader } from "./page-loader.ts";

interface LoadedPage {
  readonly facts: PageFacts;
  readonly basis: string;
}

/** The code of a page, loaded when the first page of its kind is opened. */
const LOADERS: Readonly<Record<Page["kind"], () => Promise<PageLoader>>> = {
  findings: async () => (await import("./findings-loader.ts")).findingsLoader,
  commits: async () => (await import("./commits-loader.ts")).commitsLoader,
  commit: async () => (await import("./commits-loader.ts")).commitsLoader,
  finding: async () => (await import("./findings-loader.ts")).findingsLoader,
  sessions: async () => (await import("./sessions-loader.ts")).sessionsLoader,
  plan: async () => (await import("./plan-loader.ts")).planLoader,
};

/**
 * The pages of a session. The code and the facts of a page are loaded in the background when it is opened, and again
 * only when what it depends on has changed.
 */
export class PageSource {
  readonly #onLoaded: () => void;
  readonly #loaders = new Map<Page["kind"], PageLoader>();
  readonly #loaded = new Map<string, LoadedPage>();
  #isLoading = false;

  constructor(onLoaded: () => void) {
    this.#onLoaded = onLoaded;
  }

  /** The page as it was loaded last; undefined before it is loaded. */
  read(page: Page | undefined, ground: PageGround): PageFacts | undefined {
    if (page === undefined) return undefined;
    const known = this.#loaded.get(pageKey(page));
    const isNew = known === undefined || known.basis !== this.#basisOf(page, ground);
    if (isNew && !this.#isLoading) void this.#load(page, ground);
    return known?.facts;
  }

  #basisOf(page: Page, ground: PageGround): string | undefined {
    return this.#loaders.get(page.kind)?.basis(page, ground);
  }

  async #load(page: Page, ground: PageGround): Promise<void> {
    this.#isLoading = true;
    const loader = this.#loaders.get(page.kind) ?? (await LOADERS[page.kind]());
    this.#loaders.set(page.kind, loader);
    const basis = loader.basis(page, ground);
    const loaded = await attempted(() => loader.load(page, ground));
    this.#isLoading = false;
    const facts = loaded.ok ? loaded.value : unreadPage(page, explain(loaded.failure).message);
    this.#loaded.set(pageKey(page), { facts, basis });
    this.#onLoaded();
  }
}

function unreadPage(page: Page, why: string): PageFacts {
  const lines = [row(cleanSpan("bad", why))];
  return { kind: "text", page, title: "Not read", lines, item: undefined };
}
