/**
 * `treadle-db`: access to the app's database, from inside the project's sandbox. Exits with 0, with
 * 1 if SQL was refused, and with 2 for invalid arguments.
 */
import { readFileSync } from "node:fs";
import { HAS_POSTGRES, POSTGRES_ADDRESS } from "@treadle/egress/postgres-address";
import { migrate, plantSeed, ranAs, type Told } from "./migrate.ts";
import { askPostgres } from "./ask-postgres.ts";
import { openDatabase, type OpenedDatabase } from "./open-database.ts";
import { printResults } from "./print-results.ts";
import { sqliteFile, USUAL_FILE } from "./sqlite-database.ts";
import { transfer, type Transfer } from "./transfer.ts";
import { SqlFailure, type AppDatabase } from "./types.ts";
import { usesPostgres } from "@treadle/workspace/data-conventions";

const USAGE = `treadle-db: the database of this app

  treadle-db migrate            runs what is new of migrations/0001_name.sql, …
             --seed             and puts the rows of seed.sql into an empty database, once
             --no-copy          without a copy of the database beforehand
  treadle-db query [SQL]        runs SQL, from stdin where it is not given
  treadle-db seed               the rows of seed.sql, into an empty database
  treadle-db reset              makes the database anew; a copy of it is kept
`;
/** Maximum number of rows printed for one statement. */
const MOST_ROWS = 200;

const root = process.cwd();
// The app's environment may name another database; this is the sandbox's own.
if (process.env[HAS_POSTGRES]) Object.assign(process.env, POSTGRES_ADDRESS);
const [command = "", ...words] = process.argv.slice(2);

async function perform(database: AppDatabase): Promise<Told | undefined> {
  switch (command) {
    case "migrate":
      return migrate(root, database, {
        seed: words.includes("--seed"),
        copy: !words.includes("--no-copy"),
      });
    case "seed": {
      const report = await plantSeed(root, database);
      if (report.lines.length > 0) return report;
      return {
        ok: true,
        lines: [
          "Nothing was put in: there is no seed.sql, it was put in before, or there are rows.",
        ],
      };
    }
    case "reset": {
      const copy = await database.reset();
      const report = await migrate(root, database, { seed: true, copy: false });
      const before = copy === undefined ? [] : [`Kept a copy of what was in it: ${copy}.`];
      return {
        ok: report.ok,
        lines: [...before, ...report.lines, "A server that runs has to be started again."],
      };
    }
    case "query": {
      const sql = words.length > 0 ? words.join(" ") : readFileSync(0, "utf8");
      const ran = await ranAs(root, database, sql);
      if (ran !== undefined)
        return { ok: true, lines: [`That is ${ran}, which has run: nothing was run again.`] };
      const results = await database.query(sql, MOST_ROWS);
      return { ok: true, lines: [printResults(results)] };
    }
    default:
      return undefined;
  }
}

async function main(): Promise<number> {
  // Requested by the host: paths and names do not pass through a shell.
  if (command === "transfer") {
    try {
      const asked = JSON.parse(process.env.TREADLE_DB_TRANSFER ?? "") as Transfer;
      process.stdout.write(`${await transfer(root, asked)}\n`);
      return 0;
    } catch (error) {
      process.stderr.write(`${(error as Error).message}\n`);
      return 1;
    }
  }
  if (command === "ask") return askPostgres(root);
  if (command === "where") {
    process.stdout.write(elsewhere() ?? "");
    return 0;
  }
  if (!["migrate", "query", "seed", "reset"].includes(command)) {
    process.stderr.write(USAGE);
    return command === "--help" || command === "" ? 0 : 2;
  }
  let opened: OpenedDatabase | undefined;
  try {
    opened = await openDatabase(root, process.env);
    const report = (await perform(opened.database))!;
    process.stdout.write(`${report.lines.join("\n")}\n`);
    return report.ok ? 0 : 1;
  } catch (error) {
    const line = error instanceof SqlFailure && error.line > 1 ? `line ${error.line}: ` : "";
    const where = opened ? `${opened.database.name}: ${line}` : "";
    process.stderr.write(`${where}${(error as Error).message}\n`);
    return 1;
  } finally {
    const note = await opened?.close();
    if (note !== undefined) process.stderr.write(`${note}\n`);
  }
}

/** The file of the app's SQLite database, if it is in an unexpected place. */
function elsewhere(): string | undefined {
  if (process.env.DATABASE_FILE || usesPostgres(root, process.env)) return undefined;
  const file = sqliteFile(root);
  return typeof file === "string" && file !== USUAL_FILE ? file : undefined;
}

process.exitCode = await main();
