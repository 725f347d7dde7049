import type { GateFinding } from "@treadle/protocol";

/** A text file of a release. */
export interface GateFile {
  /** From the project's folder, or from the site's. */
  path: string;
  text: string;
}

/** Something that only this project's settings or its `.env` know. */
export interface NamedValue {
  name: string;
  value: string;
}

/** A finding without its id, which is made of what it says. */
export type Found = Omit<GateFinding, "id">;
