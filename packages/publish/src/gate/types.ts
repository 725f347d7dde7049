import type { GateFinding } from "@treadle/protocol";

/** A text file of a release. */
export interface GateFile {
  /** Relative to the project's folder, or to the site's. */
  path: string;
  text: string;
}

/** A value that only this project's settings or `.env` contain. */
export interface NamedValue {
  name: string;
  value: string;
}

/** A finding without its id, which is derived from its content. */
export type Found = Omit<GateFinding, "id">;
