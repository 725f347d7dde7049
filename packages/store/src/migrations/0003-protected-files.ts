import { sql, type Kysely } from "kysely";

/** Renames two events and one setting: protected files were called "obeyed" before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // `type` is the first key of every stored event, so no entry has to be parsed.
  await sql`
    update log set
      event = '{"type":"protected-' || substr(event, length('{"type":"obeyed-') + 1),
      bytes = bytes + length('protected') - length('obeyed')
    where event like '{"type":"obeyed-changed"%' or event like '{"type":"obeyed-accepted"%'
  `.execute(db);
  await sql`
    update settings set key = 'protected:' || substr(key, length('obeyed:') + 1)
    where key like 'obeyed:%'
  `.execute(db);
}
