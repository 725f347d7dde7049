import type { ProjectPath } from "@treadle/protocol";
/** What is known of who left a file as it is, and where the person's are kept. */
export interface PersonsFiles {
  /**
   * Whether the person saved this content of a file in the page; an empty version: removed it there. Absent: whatever is
   * said to be theirs is. What a server writes between commands looks like a person's editor.
   */
  isPersons?(path: ProjectPath, version: string): boolean;
  /** Keeps what a file had become that was put back, for the person. @returns whether it could. Never rejects. */
  keepPutBack?(bytes: Uint8Array): Promise<boolean>;
}
