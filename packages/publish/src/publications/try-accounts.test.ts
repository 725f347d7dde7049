import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import type { OpenOptions } from "@treadle/workspace";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openAppsPostgres,
  type AppsPostgres,
} from "../../../app-database/src/postgres/apps-postgres.ts";
import { openDoors, type Doors } from "../../../app-database/src/postgres/doors.test-support.ts";
import { withPostgres } from "@treadle/app-database";
import { FakeDriver } from "../../../workspace/src/testing/fake-workspace.test-support.ts";
import { tryAccounts } from "./try-accounts.ts";
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from "../../../workspace/src/testing/postgres.test-support.ts";

const sources = [
  {
    path: "server.js",
    text: 'app.post("/api/register", ({ body }) => keep(body.password));',
  },
];

/**
 * An app that stores all posted data.
 * @param ids number of rows after each request
 */
function keeper(database: NonNullable<OpenOptions["database"]>, ids: number[]): RequestListener {
  async function startKeeper(): Promise<void> {
    const door = createServer({ allowHalfOpen: true }, database).listen(0, "127.0.0.1");
    await once(door, "listening");
    const { port } = door.address() as AddressInfo;
    const client = new Client({ host: "127.0.0.1", port, user: "app", database: "app" });
    client.on("error", () => undefined);
    await client.connect();
    await client.query("CREATE TABLE IF NOT EXISTS people (mail text)");
    await client.query("INSERT INTO people VALUES ('tried@example.com')");
    ids.push((await client.query("SELECT 1 FROM people")).rowCount!);
    await client.end();
    door.close();
  }
  return (request, response) => {
    const done = request.method === "POST" ? startKeeper() : Promise.resolve();
    done.then(
      () => response.writeHead(request.method === "GET" ? 200 : 403).end("Accounts"),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  };
}

describe.skipIf(postgresPrograms === undefined)(
  "an app with PostgreSQL, tried with two accounts (needs a PostgreSQL of this machine)",
  () => {
    let server: TestPostgres;
    let apps: AppsPostgres;
    let doors: Doors;
    beforeAll(async () => {
      server = await startPostgres();
      apps = openAppsPostgres(server.url, () => "here");
      doors = openDoors(apps);
    });
    afterAll(async () => {
      await doors?.close();
      await apps?.close();
      await server?.close();
    });

    async function tried(project: string, postgres = apps) {
      const driver = new FakeDriver();
      driver.hasCopies = true;
      const ids: number[] = [];
      driver.answer = ({ options }) => keeper(options.database!, ids);
      const found = await tryAccounts(
        {
          driver: withPostgres(driver, postgres),
          settingsOf: () => Promise.resolve({ hosts: [], staticHosts: false, secrets: [] }),
          appsPostgres: postgres,
        },
        { project, release: { number: 1 }, folder: "/tried", command: "npm start", sources },
        new AbortController().signal,
      );
      return { ids, found, opened: driver.opened.size };
    }

    async function databasesOf(project: string): Promise<unknown[]> {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
        [`treadle_${project}_`],
      );
      await client.end();
      return rows.map(({ datname }) => datname);
    }

    it("A135 writes into a copy of the release's database, which is removed afterwards", async () => {
      await doors.ask("shop-release-1", "CREATE TABLE people (mail text)");
      await doors.ask("shop-release-1", "INSERT INTO people VALUES ('of a migration')");
      const { ids } = await tried("shop");
      expect(ids[0]).toBe(2);
      expect(await doors.ask("shop-release-1", "SELECT mail FROM people")).toEqual([
        ["of a migration"],
      ]);
      expect(await databasesOf("shop")).toEqual(["treadle_shop_release_1"]);
    });

    it("A135 gets a temporary database if the release has none yet", async () => {
      const { ids } = await tried("fresh");
      expect(ids[0]).toBe(1);
      expect(await databasesOf("fresh")).toEqual([]);
    });

    it("is skipped if PostgreSQL cannot make a copy", async () => {
      const gone = openAppsPostgres("postgres://admin:secret@127.0.0.1:1/postgres", () => "here");
      const { found, opened } = await tried("shop", gone);
      expect(found.unchecked).toEqual([
        expect.stringMatching(/^No copy of its PostgreSQL database could be made/),
      ]);
      expect(opened).toBe(0);
      await gone.close();
    });
  },
);
