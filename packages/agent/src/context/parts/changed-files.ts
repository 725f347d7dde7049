import type { FileDifference } from "@treadle/workspace";

/** A file that changed between two runs. */
export interface ChangedFile extends FileDifference {
  /** `outside`: changed by a program of the project or by someone else, not in the page. Absent: by the person. */
  by?: "person" | "outside";
}
