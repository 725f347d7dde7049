import type { Fitting } from "../context/compaction/fitting.ts";
import type { SpokenModel } from "../dialects/spoken-model.ts";
import type { PicturePort } from "../ports/pictures.ts";
import type { ForeignTool } from "../tools/foreign-tools.ts";

/** The parts from which a run's requests to its model are built. */
export interface ModelRequest {
  readonly model: SpokenModel;
  /** The conversation, shortened to what the model accepts. */
  readonly fit: Fitting;
  /**
   * Tools of external servers beside the built-in ones; the same from the first step to the last, unless the provider
   * refuses one.
   */
  foreign: readonly ForeignTool[];
  /** Absent if pictures cannot be stored. */
  readonly pictures?: PicturePort | undefined;
  /** 0 to 1, for the jitter of retries. */
  random(): number;
}
