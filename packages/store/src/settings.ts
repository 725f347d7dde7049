import { sql, type Kysely } from "kysely";
import type { Doorbell, Engine } from "./engine.ts";
import type { Schema } from "./schema.ts";
import type { Sealer } from "./secrets/seal.ts";
import {
  isOpenSecret,
  SECRET,
  settingText,
  settingValue,
  settingValues,
} from "./secrets/secret-settings.ts";
import type { SettingStore } from "./types.ts";

export function createSettingStore(engine: Engine, sealer: () => Sealer): SettingStore {
  const { db, write, lock, doorbell, fences } = engine;
  const cache = createTextCache(doorbell);
  const read = async (from: Kysely<Schema>, key: string) => {
    const query = from.selectFrom("settings").select("value").where("key", "=", key);
    return (await query.executeTakeFirst())?.value;
  };
  const valueOf = <T>(key: string, text: string | undefined) =>
    text === undefined ? undefined : (settingValue(key, text, sealer) as T | undefined);
  /** Stores a value, or removes the setting: `undefined` has no JSON. */
  const store = async (to: Kysely<Schema>, key: string, value: unknown) => {
    if (value === undefined) {
      await to.deleteFrom("settings").where("key", "=", key).execute();
      return;
    }
    const row = { key, value: settingText(key, value, sealer) };
    await to
      .insertInto("settings")
      .values(row)
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: row.value }))
      .execute();
  };
  const announce = (key: string) => {
    cache.forget(key);
    doorbell.ring([{ type: "setting", key }]);
  };
  return {
    async get<T>(key: string) {
      return valueOf<T>(key, await cache.read(key, () => read(db, key)));
    },
    async all() {
      const rows = await db.selectFrom("settings").select(["key", "value"]).execute();
      return settingValues(rows, sealer);
    },
    async set(key, value) {
      await fences.guard(key.split(":"), (to) => store(to, key, value));
      announce(key);
    },
    async update<T>(key: string, change: (value: T | undefined) => T | undefined) {
      await write(async (transaction) => {
        for (const name of key.split(":"))
          if (fences.isClaimed(name)) await fences.check(transaction, name);
        await lock(transaction, `setting ${key}`);
        await store(transaction, key, change(valueOf<T>(key, await read(transaction, key))));
      });
      announce(key);
    },
    async remove(key) {
      await fences.guard(key.split(":"), (to) => store(to, key, undefined));
      announce(key);
    },
  };
}

/**
 * Settings as texts, each read once until it changes. Without notifications of other processes, and in a database of
 * one process, every setting is read from the database each time.
 */
function createTextCache(doorbell: Doorbell) {
  const texts = new Map<string, string | undefined>();
  /** Number of changes so far: a read that began before a change may return the former value. */
  let changes = 0;
  const forget = (key: string) => {
    changes++;
    texts.delete(key);
  };
  doorbell.listen(
    (call) => {
      if (call.type === "setting") forget(call.key);
    },
    () => {
      changes++;
      texts.clear();
    },
  );
  return {
    forget,
    async read(key: string, readText: () => Promise<string | undefined>) {
      if (!doorbell.isShared) return readText();
      if (doorbell.isListening() && texts.has(key)) return texts.get(key);
      const before = changes;
      const text = await readText();
      if (before === changes && doorbell.isListening()) texts.set(key, text);
      return text;
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
