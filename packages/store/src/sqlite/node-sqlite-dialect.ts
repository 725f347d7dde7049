import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";

/**
 * Maximum number of cached prepared statements. Kysely generates few distinct SQL texts, apart from the row counts of
 * group commits.
 */
const CACHED_STATEMENTS = 128;

/** Kysely on Node's own SQLite: Kysely's dialect expects another library's interface. */
export function nodeSqliteDialect(database: DatabaseSync): SqliteDialect {
  const cache = new Map<string, SqliteStatement>();
  const adapted: SqliteDatabase = {
    close: () => database.close(),
    prepare(sql) {
      const known = cache.get(sql);
      if (known) {
        // Moved to the end, so that the least recently used statement is dropped first.
        cache.delete(sql);
        cache.set(sql, known);
        return known;
      }
      const statement =
        sql === "rollback" ? rollback(database) : adaptStatement(database.prepare(sql));
      cache.set(sql, statement);
      if (cache.size > CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? "");
      return statement;
    },
  };
  return new SqliteDialect({ database: adapted });
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    // A statement with columns returns rows.
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

/** SQLite rolls back by itself when the disk is full; a second rollback would hide the reason. */
function rollback(database: DatabaseSync): SqliteStatement {
  const run = () => {
    if (database.isTransaction) database.exec("rollback");
    return { changes: 0, lastInsertRowid: 0 };
  };
  return { reader: false, run, all: () => [], iterate: () => [].values() };
}
