import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel, type ScriptedModel } from "@treadle/scripted-model";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
} from "../packages/workspace/src/testing/postgres.test-support.ts";
import { runTreadle } from "./support/run-treadle.ts";

const APP = join(import.meta.dirname, "scripts/files/guestbook-postgres");
const file = (path: string) => readFileSync(join(APP, path), "utf8");

/** A policy, a function and a type: SQL that SQLite does not support. */
const MIGRATION = `/* What bolt writes above a migration. */
CREATE TYPE mood AS ENUM ('glad', 'sad');
CREATE TABLE IF NOT EXISTS guests (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text NOT NULL, mood mood DEFAULT 'glad', at timestamptz DEFAULT now());
ALTER TABLE guests ENABLE ROW LEVEL SECURITY;
CREATE POLICY "All may read" ON guests FOR SELECT USING (true);
DO $$ BEGIN INSERT INTO guests (name) VALUES ('of the migration'); END $$;`;

const ARTIFACT = `<boltArtifact id="guests" title="A guest book">
<boltAction type="file" filePath="package.json">
${file("package.json")}</boltAction>
<boltAction type="shell">npm install</boltAction>
<boltAction type="supabase" operation="migration" filePath="/supabase/migrations/create_guests.sql">
${MIGRATION}
</boltAction>
<boltAction type="supabase" operation="query" projectId="abc">
${MIGRATION}
</boltAction>
<boltAction type="supabase" operation="query" projectId="abc">
SELECT name, mood, current_database() AS at_home FROM guests;
</boltAction>
<boltAction type="file" filePath="server.js">
${file("server.js")}</boltAction>
<boltAction type="start">npm start</boltAction>
</boltArtifact>`;

describe.skipIf(postgresPrograms === undefined)(
  "bolt's database actions (needs a PostgreSQL of this machine)",
  () => {
    let server: TestPostgres;
    let model: ScriptedModel;
    const made = mkdtempSync(join(tmpdir(), "treadle-bolt-"));
    beforeAll(async () => {
      server = await startPostgres();
      model = await createScriptedModel({
        script: {
          name: "guests",
          steps: [
            { name: "book", when: [{ type: "turn", number: 1, orLater: false, not: false }], parts: [{ type: "say", text: ARTIFACT }] },
          ],
          otherwise: [{ type: "say", text: "There is a guest book." }],
        },
      }); // prettier-ignore
    });
    afterAll(async () => {
      await model?.close();
      await server?.close();
      rmSync(made, { recursive: true, force: true });
    });

    it("run on the project's own PostgreSQL database", async () => {
      const { code, stdout, stderr } = await runTreadle(
        ["run", "A guest book", "--dialect", "artifact", "--json", "--dir", join(made, "app"), "--data", join(made, "data")],
        {
          OPENAI_BASE_URL: `${model.url}/v1`,
          OPENAI_API_KEY: "test",
          TREADLE_MODEL: "openai-compatible:scripted",
          TREADLE_APPS_DATABASE_URL: server.url,
        },
      ); // prettier-ignore
      const output = `${stdout}${stderr}`;
      expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({ verdict: "runs" });
      expect(code).toBe(0);
      expect(readdirSync(join(made, "app/supabase/migrations"))).toEqual([
        "0001_create_guests.sql",
      ]);
      expect(output).toMatch(/of the migration[^"]*glad[^"]*treadle_\w+_preview/);
      // bolt has each migration run a second time as a query.
      expect(output).toMatch(
        /That is supabase\/migrations\/0001_create_guests\.sql, which has run/,
      );
      expect(output).not.toContain(server.url);
      const client = new Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname LIKE 'treadle%'",
      );
      await client.end();
      expect(rows).toHaveLength(1);
    });
  },
);
