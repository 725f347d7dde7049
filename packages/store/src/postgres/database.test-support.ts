import { connectTo, postgresPrograms, startPostgres } from "../../../workspace/src/testing/postgres.test-support.ts"; // prettier-ignore

/**
 * Whether a test has no PostgreSQL to run against. It says so; with `TREADLE_TEST_POSTGRES=1` it fails instead.
 */
export const lacksPostgres = (() => {
  if (postgresPrograms !== undefined) return false;
  const reason = "The programs of a PostgreSQL server (initdb, postgres) are not on this machine";
  if (process.env.TREADLE_TEST_POSTGRES) throw new Error(reason);
  process.stderr.write(`SKIPPED, tests of the store on PostgreSQL: ${reason}.\n`);
  return true;
})();

/** A server of its own, with an empty database for each that asks for one. */
export async function startDatabases() {
  const server = await startPostgres();
  const admin = await connectTo({ connectionString: server.url });
  let count = 0;
  return {
    admin,
    async create(): Promise<string> {
      const name = `store${++count}`;
      await admin.query(`create database ${name}`);
      return server.url.replace(/[^/]*$/, name);
    },
    async close() {
      await admin.end();
      await server.close();
    },
  };
}
