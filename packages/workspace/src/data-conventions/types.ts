/** A migration file of the project. */
export interface MigrationFile {
  /** Parsed from its name: `0002_add_age.sql` is 2. */
  number: number;
  /** Its name without the folder. */
  name: string;
  /** Project-relative path. */
  path: string;
  /** Undefined if its bytes are not text. */
  sql: string | undefined;
  /** SHA-256 of its bytes, in hexadecimal. */
  digest: string;
}

/** A migration that has run on a database, as recorded there in `treadle_migrations`. */
export type Applied = Pick<MigrationFile, "number" | "name" | "digest">;
