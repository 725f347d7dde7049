import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";
import type { SettingStore } from "./types.ts";

export function createSettingStore(db: Kysely<Schema>): SettingStore {
  return {
    async get<T>(key: string) {
      const query = db.selectFrom("settings").select("value").where("key", "=", key);
      const row = await query.executeTakeFirst();
      return row && (JSON.parse(row.value) as T);
    },
    async set(key, value) {
      // `undefined` has no JSON; a setting without a value is one that is not set.
      if (value === undefined) return this.remove(key);
      const row = { key, value: JSON.stringify(value) };
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
