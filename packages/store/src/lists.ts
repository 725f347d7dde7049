import { type Kysely, sql } from "kysely";
import type { Engine } from "./engine.ts";
import type { Schema } from "./schema.ts";
import type { ListStore } from "./types.ts";

export function createListStore({ db, write, lock, locked, fences }: Engine): ListStore {
  return {
    async all<T>(list: string) {
      const rows = await db
        .selectFrom("list_items")
        .select("value")
        .where("list", "=", list)
        .orderBy("position")
        .execute();
      return rows.map(({ value }) => JSON.parse(value) as T);
    },
    async put(list, name, value) {
      const text = JSON.stringify(value);
      const position = sql<number>`
        (select coalesce(max(position), 0) + 1 from list_items where list = ${list})
      `;
      const insert = (to: Kysely<Schema>) =>
        to
          .insertInto("list_items")
          .values({ list, name, position, value: text })
          .onConflict((conflict) => conflict.columns(["list", "name"]).doUpdateSet({ value: text }))
          .execute();
      if (!fences.isClaimed(name)) await locked(`list ${list}`, insert);
      else
        await write(async (transaction) => {
          await fences.check(transaction, name);
          await lock(transaction, `list ${list}`);
          await insert(transaction);
        });
    },
    async remove(list, name) {
      await fences.guard([name], (to) =>
        to.deleteFrom("list_items").where("list", "=", list).where("name", "=", name).execute(),
      );
    },
  };
}
