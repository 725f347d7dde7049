import { describe, expect, it } from "vitest";
import type { FakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { answer, call, scriptedModel, toldText } from "../testing/scripted-model.test-support.ts";
import { htmlWorkspace, ofType, tryRun } from "../testing/try-run.test-support.ts";

const BAD = "ALTER TABLE nobody ADD COLUMN x TEXT;\n";
const SAID =
  "migrations/0001_x.sql:1: no such table: nobody\nNothing of migrations/0001_x.sql was kept.";

/** A project with a page, whose database accepts any migration except the bad one. */
const withDatabase = (files: Record<string, string> = {}) =>
  htmlWorkspace({
    files: { "index.html": "<h1>Hi</h1>", ...files },
    command: (command, workspace) => {
      if (!command.startsWith("treadle-db")) return undefined;
      if (command.startsWith("treadle-db query")) return { output: "a\nmilk\n(1 row)" };
      const bad = workspace.paths().some((path) => workspace.text(path) === BAD);
      return bad ? { code: 1, output: SAID } : { output: "Ran it on data/app.db." };
    },
  });
const migrations = ({ commands }: FakeWorkspace) =>
  commands.filter((command) => command.startsWith("treadle-db"));
const write = (path: string, content: string) => call("write_file", { path, content });

describe("a migration", () => {
  it("is run on the preview's database when it is written, and its result is reported", async () => {
    let prompt = "";
    const workspace = withDatabase();
    const { events } = await tryRun(
      scriptedModel(
        answer("", write("migrations/0001_x.sql", BAD)),
        (asked) => {
          prompt = toldText(asked);
          return answer("", write("migrations/0001_x.sql", "CREATE TABLE x (a);\n"));
        },
        answer("Done."),
      ),
      { workspace },
    );
    expect(prompt).toContain(SAID.split("\n")[0]);
    expect(ofType(events, "call-end").map(({ status, title }) => `${status} ${title}`)).toEqual([
      "error Did not run migrations/0001_x.sql",
      "ok Wrote migrations/0001_x.sql",
    ]);
    expect(migrations(workspace)[0]).toBe("treadle-db migrate --seed");
  });

  it("that fails before the server starts is repaired like any other failure", async () => {
    const workspace = withDatabase({ "migrations/0001_x.sql": BAD });
    const { result, events } = await tryRun(
      scriptedModel(
        answer("", write("index.html", "<h1>Two</h1>")),
        answer("There it is."),
        answer("", write("migrations/0001_x.sql", "CREATE TABLE x (a);\n")),
        answer("Repaired."),
      ),
      { workspace },
    );
    expect(ofType(events, "repair")).toMatchObject([
      { reason: "a migration failed: migrations/0001_x.sql:1: no such table: nobody" },
    ]);
    expect(result).toMatchObject({ outcome: "done", verdict: "runs" });
  });

  it.each([
    ["supabase/migrations/tasks.sql", [], "supabase/migrations/0001_tasks.sql"],
    [
      "supabase/migrations/tasks.sql",
      ["supabase/migrations/20260102030405_x.sql"],
      "supabase/migrations/20260102030406_tasks.sql",
    ],
    [
      "migrations/tasks.sql",
      ["migrations/0002_a.sql", "migrations/0010_b.sql"],
      "migrations/0011_tasks.sql",
    ],
    ["migrations/seed.sql", [], "migrations/seed.sql"],
    ["db/tasks.sql", [], "db/tasks.sql"],
  ])("%s beside %j is written as it will run", async (path, there, written) => {
    const workspace = withDatabase(Object.fromEntries(there.map((one) => [one, "SELECT 1;"])));
    await tryRun(scriptedModel(answer("", write(path, "SELECT 2;\n")), answer("Done.")), {
      workspace,
    });
    expect(workspace.text(written)).toBe("SELECT 2;\n");
  });

  it.each([
    ['const all = readdirSync("migrations");', 0],
    ['export default { out: "./migrations" };', 0],
    ["// the tables are made by migrations/", 1],
    ['const all = readdirSync("migrations"); db.prepare("SELECT * FROM treadle_migrations");', 1],
  ])("is left to the app if that runs it in its own way: %s", async (source, runs) => {
    const workspace = withDatabase({ "server.ts": source });
    await tryRun(
      scriptedModel(answer("", write("migrations/0001_x.sql", "SELECT 1;")), answer("Done.")),
      { workspace },
    );
    expect(migrations(workspace).length > 0).toBe(runs > 0);
  });
});

describe("bolt's actions for a database", () => {
  const ARTIFACT = (inner: string) => `<boltArtifact id="a" title="Tasks">${inner}</boltArtifact>`;

  it("run on the project's own database, and query results go back to the model", async () => {
    let prompt = "";
    const workspace = withDatabase();
    await tryRun(
      scriptedModel(
        answer(
          ARTIFACT(
            `<boltAction type="supabase" operation="migration" filePath="/supabase/migrations/tasks.sql">\nCREATE TABLE tasks (a);\n</boltAction><boltAction type="supabase" operation="query">\nSELECT 'it''s', "a" FROM tasks;\n</boltAction>`,
          ),
        ),
        (asked) => {
          prompt = toldText(asked);
          return answer("Done.");
        },
      ),
      { workspace, dialect: "artifact" },
    );
    expect(workspace.text("supabase/migrations/0001_tasks.sql")).toContain("CREATE TABLE tasks");
    expect(migrations(workspace)).toContain(
      `treadle-db query <<'TREADLE_SQL'\nSELECT 'it''s', "a" FROM tasks;\nTREADLE_SQL`,
    );
    expect(prompt).toContain("milk");
  });

  it("report their failures to the model", async () => {
    let prompt = "";
    await tryRun(
      scriptedModel(
        answer(
          ARTIFACT(
            `<boltAction type="supabase" operation="migration" filePath="/supabase/migrations/x.sql">\n${BAD}</boltAction>`,
          ),
        ),
        (asked) => {
          prompt = toldText(asked);
          return answer("I see.");
        },
      ),
      { workspace: withDatabase(), dialect: "artifact" },
    );
    expect(prompt).toContain("no such table: nobody");
  });
});
