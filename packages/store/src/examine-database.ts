import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "./sqlite/open-database.ts";
import type { Finding } from "./types.ts";

/** Columns that are checked for invalid JSON. */
const JSON_COLUMNS = [
  { table: "projects", column: "record" },
  { table: "messages", column: "message" },
  { table: "log", column: "event" },
  { table: "settings", column: "value" },
  { table: "list_items", column: "value" },
] as const;

/**
 * Checks the database of a data folder that no server has open: whether its pages are intact, whether all rows have an
 * owner, and whether the log has unexpected gaps.
 * @param repair removes unreadable and ownerless rows, saving what can be read as JSON Lines beside the database
 * @throws StoreError `busy` while a server has the folder open, or any error of opening it
 */
export function examineDatabase(directory: string, repair: boolean): Finding[] {
  const { database, unlock } = openDatabase(directory);
  try {
    const broken = damage(database);
    // What can be read from damaged pages is unreliable.
    if (broken.length > 0) return broken;
    if (!hasTables(database)) return [];
    return [
      ...unreadable(database, directory, repair),
      ...orphans(database, repair),
      ...heads(database, repair),
      ...gaps(database),
    ];
  } finally {
    database.close();
    unlock();
  }
}

const WHERE = "database";

function damage(database: DatabaseSync): Finding[] {
  const rows = database.prepare("pragma integrity_check(3)").all();
  return rows
    .map((row) => String(row["integrity_check"]))
    .filter((words) => words !== "ok")
    .map((words) => ({
      where: WHERE,
      problem: `it is damaged (${words}): restore a backup, or move treadle.sqlite away to start anew; the projects' files are not touched`,
    }));
}

const hasTables = (database: DatabaseSync) =>
  database.prepare("select 1 from sqlite_master where name = 'log_heads'").get() !== undefined;

function unreadable(database: DatabaseSync, directory: string, repair: boolean): Finding[] {
  return JSON_COLUMNS.flatMap(({ table, column }) => {
    const where = `where json_valid(${column}) = 0`;
    const rows = database.prepare(`select * from ${table} ${where}`).all();
    if (rows.length === 0) return [];
    const problem = `${rows.length} of its ${table} cannot be read`;
    if (!repair) return [{ where: WHERE, problem }];
    const file = join(directory, `unreadable-${table}-${Date.now()}.jsonl`);
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    writeFileSync(file, lines, { mode: 0o600, flag: "wx", flush: true });
    database.exec(`delete from ${table} ${where}`);
    return [{ where: WHERE, problem, mended: `they are in ${file} now` }];
  });
}

function orphans(database: DatabaseSync, repair: boolean): Finding[] {
  const found: Finding[] = [];
  const lost = database.prepare("pragma foreign_key_check").all();
  const tables = new Set(lost.map((row) => String(row["table"])));
  for (const table of tables) {
    if (repair)
      database.exec(`delete from ${table} where project not in (select id from projects)`);
    found.push({
      where: WHERE,
      problem: `${table} of projects that are not there`,
      mended: repair ? "they are gone" : undefined,
    });
  }
  const bodies = "from log_bodies where (project, seq) not in (select project, seq from log)";
  if (database.prepare(`select 1 ${bodies} limit 1`).get() !== undefined) {
    if (repair) database.exec(`delete ${bodies}`);
    found.push({
      where: WHERE,
      problem: "long texts of log entries that are not there",
      mended: repair ? "they are gone" : undefined,
    });
  }
  return found;
}

/** Finds logs whose stored newest number is below that of an entry: the next entry could never be appended. */
function heads(database: DatabaseSync, repair: boolean): Finding[] {
  const where = "where head < (select max(seq) from log where log.project = log_heads.project)";
  if (database.prepare(`select 1 from log_heads ${where} limit 1`).get() === undefined) return [];
  if (repair)
    database.exec(
      `update log_heads set head = (select max(seq) from log where log.project = log_heads.project) ${where}`,
    );
  return [
    {
      where: WHERE,
      problem: "numbers that its logs have given out would be given out again",
      mended: repair ? "they count on from the last entry" : undefined,
    },
  ];
}

/** SQL for a field of an entry's event; null if the event cannot be read. */
const field = (table: string, name: string) =>
  `case when json_valid(${table}.event) then json_extract(${table}.event, '$.${name}') end`;

/**
 * Finds missing entries. Compaction leaves gaps up to the point it has reached and, if it was interrupted, up to the
 * end of the run it was compacting, which a text marked `whole` shows. After that the numbers are consecutive.
 */
function gaps(database: DatabaseSync): Finding[] {
  return database
    .prepare(
      `with places as (
         select projects.id as id, max(projects.compacted, coalesce((
           select max(ends.seq) from log ends
           where ends.project = projects.id and ends.seq > projects.compacted
             and ${field("ends", "type")} = 'run-end'
             and exists (select 1 from log texts
               where texts.project = projects.id and texts.seq > projects.compacted
                 and texts.seq < ends.seq and ${field("texts", "whole")} = 1)
         ), 0)) as place from projects)
       select places.id as id, count(*) as entries, max(log.seq) - max(places.place) as numbers
       from log join places on places.id = log.project
       where log.seq > places.place group by places.id having entries <> numbers`,
    )
    .all()
    .map((row) => ({
      where: `project ${String(row["id"])}`,
      problem: `its log lacks ${Number(row["numbers"]) - Number(row["entries"])} entries; what is there is shown`,
    }));
}
