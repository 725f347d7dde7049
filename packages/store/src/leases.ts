import { type RawBuilder, sql } from "kysely";
import type { Engine } from "./engine.ts";
import type { Lease, LeaseStore } from "./types.ts";

/** Milliseconds since 1970 by the database's clock, which all servers share. */
const CLOCK: Readonly<Record<Engine["name"], RawBuilder<number>>> = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
};

export function createLeaseStore({ db, name: dialect, write, fences }: Engine): LeaseStore {
  const now = CLOCK[dialect];
  const find = async (name: string): Promise<Lease | undefined> => {
    const query = db.selectFrom("leases").select(["server", "address", "epoch"]);
    const row = await query.where("name", "=", name).where("ends_at", ">=", now).executeTakeFirst();
    const { server, address, epoch } = row ?? {};
    return server && epoch !== undefined ? { server, address: address ?? "", epoch } : undefined;
  };
  return {
    find,
    async acquire(name, { server, address }, ms) {
      for (;;) {
        const ends_at = sql<number>`${now} + ${sql.lit(Math.round(ms))}`;
        const taken = await write((transaction) =>
          transaction
            .insertInto("leases")
            .values({ name, server, address, epoch: 1, ends_at, unfinished: 1 })
            .onConflict((conflict) =>
              conflict
                .column("name")
                .doUpdateSet({
                  epoch: sql<number>`leases.epoch + case when leases.server = excluded.server then 0 else 1 end`,
                  server,
                  address,
                  ends_at,
                  unfinished: 1,
                })
                .where(
                  sql<boolean>`leases.server is null or leases.server = excluded.server or leases.ends_at < ${now}`,
                ),
            )
            .returning("epoch")
            .executeTakeFirst(),
        );
        if (taken) {
          fences.claim(name, taken.epoch);
          return { server, address, epoch: taken.epoch };
        }
        const other = await find(name);
        // Otherwise it ended between the two statements.
        if (other) return other;
      }
    },
    async renew(server, ms) {
      const own = db.selectFrom("leases").select("name").where("server", "=", server);
      // Locked in the order in which appends lock them, so that neither waits for the other in turn.
      const ordered = own.orderBy("name");
      const rows = await db
        .updateTable("leases")
        .set({ ends_at: sql<number>`${now} + ${sql.lit(Math.round(ms))}` })
        .where("name", "in", dialect === "postgres" ? ordered.forUpdate() : ordered)
        .returning(["name", "epoch"])
        .execute();
      return new Map(rows.map(({ name, epoch }) => [name, epoch]));
    },
    async release(name, epoch, isUnfinished) {
      await db
        .updateTable("leases")
        .set({ server: null, address: null, ends_at: 0, unfinished: isUnfinished ? 1 : 0 })
        .where("name", "=", name)
        .where("epoch", "=", epoch)
        .execute();
      if (fences.epochOf(name) === epoch) fences.forget(name);
    },
    async orphans() {
      const rows = await db
        .selectFrom("leases")
        .select("name")
        .where("unfinished", "=", 1)
        .where((where) => where.or([where("server", "is", null), where("ends_at", "<", now)]))
        .orderBy("name")
        .execute();
      return rows.map(({ name }) => name);
    },
    fence: fences.start,
    forget: fences.forget,
  };
}
