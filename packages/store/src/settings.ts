import { sql, type Kysely } from "kysely";
import type { Schema } from "./schema.ts";
import type { Sealer } from "./secrets/seal.ts";
import { isOpenSecret, SECRET, settingText, settingValue } from "./secrets/secret-settings.ts";
import type { SettingStore } from "./types.ts";

export function createSettingStore(db: Kysely<Schema>, sealer: () => Sealer): SettingStore {
  return {
    async get<T>(key: string) {
      const query = db.selectFrom("settings").select("value").where("key", "=", key);
      const row = await query.executeTakeFirst();
      return row && (settingValue(key, row.value, sealer) as T | undefined);
    },
    async set(key, value) {
      // `undefined` has no JSON; a setting without a value is one that is not set.
      if (value === undefined) return this.remove(key);
      const row = { key, value: settingText(key, value, sealer) };
      await db
        .insertInto("settings")
        .values(row)
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: row.value }))
        .execute();
    },
    async remove(key) {
      await db.deleteFrom("settings").where("key", "=", key).execute();
    },
  };
}

/** Encrypts secrets that earlier versions stored in plain text, and erases the plain text from the database file. */
export async function sealOldSettings(db: Kysely<Schema>, sealer: () => Sealer): Promise<void> {
  const rows = await db
    .selectFrom("settings")
    .select(["key", "value"])
    .where("key", "like", `${SECRET}%`)
    .execute();
  const open = rows.filter(({ key, value }) => isOpenSecret(key, value));
  if (open.length === 0) return;
  await sql`pragma secure_delete = on`.execute(db);
  for (const { key, value } of open)
    await db
      .updateTable("settings")
      .set({ value: settingText(key, JSON.parse(value), sealer) })
      .where("key", "=", key)
      .execute();
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  await sql`pragma secure_delete = off`.execute(db);
}
