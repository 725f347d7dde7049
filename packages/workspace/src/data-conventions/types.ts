/** A migration file of the project. */
export interface MigrationFile {
  /** From its name: `0002_add_age.sql` is 2. */
  number: number;
  /** Its name without the folder. */
  name: string;
  /** Relative to the project. */
  path: string;
  /** Undefined where its bytes are no text. */
  sql: string | undefined;
  /** Of its bytes: sha256, hex. */
  digest: string;
}

/** A migration that has run on a database, as the database itself has it in `treadle_migrations`. */
export type Applied = Pick<MigrationFile, "number" | "name" | "digest">;
