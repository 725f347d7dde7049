import type { FileDifference } from "@treadle/workspace";

/** A file that changed between two runs. */
export interface ChangedFile extends FileDifference {
  /**
   * `outside`: not changed in the page, so by a program of the project or by someone else. Absent:
   * by the person.
   */
  by?: "person" | "outside";
}
