import type { SessionState } from "../../session/state/session-state.ts";
import type { Page, PageFacts } from "../../views/screen/page-facts.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";

/** What the pages of a session are made from. */
export interface PageGround {
  readonly world: World;
  readonly found: FoundSession;
  readonly state: SessionState;
}

/** Makes the pages of some kinds. */
export interface PageLoader {
  /** What the content of a page depends on; the page is loaded again when this changes. */
  basis(page: Page, ground: PageGround): string;
  load(page: Page, ground: PageGround): Promise<PageFacts>;
}
