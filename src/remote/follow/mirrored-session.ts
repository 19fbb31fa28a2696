import type { Executor, Place } from "../../base/ports/executor.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { PlaceJson } from "../../fs-protocol/home/place-json.ts";
import type { FarProgram } from "../far-program.ts";

/** A session that runs elsewhere. */
export interface MirroredSession {
  readonly id: string;
  readonly branch: string;
  readonly home: Home;
  readonly placed: PlaceJson;
  readonly executor: Executor;
  readonly place: Place;
  readonly program: FarProgram;
}
