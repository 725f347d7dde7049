import type { FileDifference } from "@treadle/workspace";

/** A file that changed between two runs. */
export interface ChangedFile extends FileDifference {
  /** `outside`: not through the page, so by a program of the project or by anybody. Absent: by the person. */
  by?: "person" | "outside";
}
