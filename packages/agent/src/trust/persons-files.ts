import type { ProjectPath } from "@treadle/protocol";
/** Who last wrote a file, and where the person's versions are saved. */
export interface PersonsFiles {
  /**
   * Whether the person saved this version of a file in the page; empty version: removed it there.
   * Absent: every version attributed to them counts. Writes by a server between commands look like
   * a person's editor.
   */
  isPersons?(path: ProjectPath, version: string): boolean;
  /**
   * Saves the changed version of a restored file for the person.
   * @returns whether it succeeded. Never rejects.
   */
  keepPutBack?(bytes: Uint8Array): Promise<boolean>;
}
