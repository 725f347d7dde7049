import type { Pool } from "pg";
import type { AppendEntries } from "../engine.ts";
import type { Fences } from "../fences.ts";

/** A writer that has appended nothing for so many milliseconds counts as ended, and its row is removed. */
const FORGOTTEN_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * One statement, so that it is one transaction and one round trip. The rows of `log_heads` stay locked until it is
 * committed: whoever sees a number sees every smaller one. They are locked in the order of their names, so that two
 * writers never wait for each other. The writer's row prevents a group that was committed before from being inserted
 * again.
 */
const statement = (isFenced: boolean) => `
with ${isFenced ? FENCE : ""}turn as (
  insert into log_writers as known (writer, last_group, at) values ($1, $2, $3)
  on conflict (writer) do update set last_group = excluded.last_group, at = excluded.at
  where known.last_group < excluded.last_group
  returning 1
), counts as (
  select * from unnest($4::text[], $5::bigint[]) as counts (project, count)
  ${isFenced ? "where project in (select name from fence)" : ""}
), heads as (
  insert into log_heads as head (project, head)
  select projects.id, counts.count
  from counts join projects on projects.id = counts.project, turn
  order by projects.id
  on conflict (project) do update set head = head.head + excluded.head
  returning project, head
), added as (
  insert into log (project, seq, at, stream, bytes, event)
  select entry.project, heads.head - counts.count + entry.place, entry.at, entry.stream, entry.bytes, entry.event
  from unnest($6::text[], $7::bigint[], $8::bigint[], $9::text[], $10::bigint[], $11::text[])
    as entry (project, place, at, stream, bytes, event)
  join heads on heads.project = entry.project
  join counts on counts.project = entry.project
)
select (select count(*) from turn) as taken,
  (select json_object_agg(project, head) from heads) as heads
  ${isFenced ? ", (select json_agg(name) from fence) as held" : ""}`;

/**
 * The projects whose entries are of the current epoch. Their leases stay locked until the entries are committed, so that
 * a server which takes a project over reads everything that its former owner wrote, and nothing follows. Locked in the
 * order of their names, like the heads.
 */
const FENCE = `
fence as (
  select leases.name
  from leases join unnest($4::text[], $12::bigint[]) as claim (name, epoch)
    on claim.name = leases.name and claim.epoch = leases.epoch
  where leases.server is not null
  order by leases.name
  for share of leases
), `;

const [APPEND, APPEND_FENCED] = [statement(false), statement(true)];

/** Appends groups of entries for one process, each once. @param writer a name that no other process has ever used */
export function createEntryWriter(
  pool: Pool,
  writer: string,
  fences: Pick<Fences, "isOn" | "lost">,
) {
  const append: AppendEntries = async (entries, group) => {
    const counts = new Map<string, number>();
    const epochs = new Map(entries.map(({ project, epoch }) => [project, epoch]));
    const isFenced = fences.isOn();
    const places = entries.map(({ project }) => {
      const place = (counts.get(project) ?? 0) + 1;
      counts.set(project, place);
      return place;
    });
    const { rows } = await pool.query<{
      taken: number;
      heads: Record<string, number> | null;
      held: string[] | null;
    }>(isFenced ? APPEND_FENCED : APPEND, [
      writer,
      group,
      Date.now(),
      [...counts.keys()],
      [...counts.values()],
      entries.map(({ project }) => project),
      places,
      entries.map(({ at }) => at),
      entries.map(({ stream }) => stream),
      entries.map(({ json }) => json.length),
      entries.map(({ json }) => json),
      ...(isFenced ? [[...epochs.values()].map((epoch) => epoch ?? 0)] : []),
    ]);
    const [row] = rows;
    if (isFenced)
      for (const [project, epoch] of epochs)
        if (!row?.held?.includes(project)) fences.lost(project, epoch);
    return row?.taken === 1 ? new Map(Object.entries(row.heads ?? {})) : undefined;
  };
  return {
    append,
    /** Removes the writer's row. Never rejects: a row that stays is removed by a later writer. */
    async close(): Promise<void> {
      await pool
        .query("delete from log_writers where writer = $1 or at < $2", [
          writer,
          Date.now() - FORGOTTEN_MS,
        ])
        .catch(() => undefined);
    },
  };
}
