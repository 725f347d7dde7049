import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, afterEach, describe, expect, it, vi } from "vitest";
import { readCsv } from "./csv.ts";
import { transfer } from "./transfer.ts";

vi.mock("node:sqlite", async (importOriginal: () => Promise<{ backup: typeof backup }>) => {
  const original = await importOriginal();
  return { ...original, backup: vi.fn(original.backup) };
});

let root: string;
let app: DatabaseSync;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "treadle-transfer-"));
  // The app keeps it open during the tests.
  app = new DatabaseSync(join(root, "app.db"));
  app.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, photo BLOB) STRICT;
    INSERT INTO guests VALUES (1, 'Ada', NULL, x'0102'), (2, 'a "b", c', '', NULL), (9007199254740993, ' x', 'l1
l2', NULL);`);
});
afterEach(() => {
  app.close();
  rmSync(root, { recursive: true, force: true });
});
const names = () =>
  app
    .prepare("SELECT name FROM guests ORDER BY id")
    .all()
    .map(({ name }) => name);
const file = "app.db";

describe("exporting a database", () => {
  it("includes what the app has written and not merged yet", async () => {
    await transfer(root, { do: "file-out", file, other: "out.db" });
    const copy = new DatabaseSync(join(root, "out.db"));
    expect(copy.prepare("SELECT count(*) AS n FROM guests").get()).toMatchObject({ n: 3 });
    copy.close();
  });

  it("as CSV can be imported unchanged", async () => {
    await transfer(root, { do: "table-out", file, other: "out.csv", table: "guests" });
    const text = readFileSync(join(root, "out.csv"), "utf8");
    expect(text).toBe(
      'id,name,note,photo\r\n1,Ada,,0x0102\r\n2,"a ""b"", c","",\r\n9007199254740993," x","l1\nl2",\r\n',
    );
    app.exec("CREATE TABLE copy (id INTEGER, name TEXT, note TEXT, photo TEXT) STRICT");
    expect(await transfer(root, { do: "table-in", file, other: "out.csv", table: "copy" })).toBe(
      "Added 3 rows to copy.",
    );
    const same = "SELECT CAST(id AS TEXT) AS id, name, note FROM";
    expect(app.prepare(`${same} copy`).all()).toEqual(app.prepare(`${same} guests`).all());
  });
});

it.each([
  [
    "values of any kind",
    "CREATE TABLE any1 (a, b BLOB)",
    "(1, x'00ff'), ('1', '0x00ff'), (2.5, x''), (3.0, '2.5'), (9007199254740993, NULL), ('', 7), (1e400, '1e5')",
  ],
  [
    "the same where types are kept to",
    "CREATE TABLE any1 (a ANY, b BLOB, c REAL) STRICT",
    "(1, x'00ff', 1.0), ('1', NULL, 1e400), (x'01', x'', -1e400)",
  ],
  ["one column with rows of nothing", "CREATE TABLE any1 (a TEXT)", "('a'), (NULL), (''), (NULL)"],
  [
    "what is worked out of others",
    "CREATE TABLE any1 (a INT, b INT AS (a * 2) STORED)",
    "(1), (2)",
  ],
])("exports and imports a table unchanged: %s", async (_, shape, values) => {
  // prettier-ignore
  app.exec(shape);
  app.exec(`INSERT INTO any1 ${/ AS /.test(shape) ? "(a)" : ""} VALUES ${values}`);
  const all = () => {
    const { length } = app.prepare("SELECT * FROM any1").columns();
    const typed = ["a", "b", "c"].slice(0, length).map((name) => `typeof(${name}), quote(${name})`);
    return app.prepare(`SELECT ${typed.join()} FROM any1`).all();
  };
  const before = all();
  await transfer(root, { do: "table-out", file, other: "out.csv", table: "any1" });
  app.exec("DELETE FROM any1");
  await transfer(root, { do: "table-in", file, other: "out.csv", table: "any1" });
  expect(all()).toEqual(before);
});

describe("importing a database", () => {
  it.each([4096, 8192])(
    "replaces the one that the app has open, and saves that (pages of %d)",
    async (size) => {
      const given = new DatabaseSync(join(root, "given.db"));
      given.exec(`PRAGMA page_size = ${size}; PRAGMA journal_mode = WAL;
      CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO guests VALUES (1, 'Eve')`);
      given.close();
      const result = await transfer(root, { do: "file-in", file, other: "given.db" });
      expect(result).toBe(
        "app.db holds what was given; what was in it is kept in .data/copies/app-before-import.db.",
      );
      expect(names()).toEqual(["Eve"]);
      app.exec("INSERT INTO guests (name) VALUES ('Bob')");
      const copy = new DatabaseSync(join(root, ".data/copies/app-before-import.db"));
      expect(copy.prepare("SELECT count(*) AS n FROM guests").get()).toMatchObject({ n: 3 });
      copy.close();
    },
  );

  it("may use the copy whose name the next copy will have", async () => {
    const given = new DatabaseSync(join(root, "given.db"));
    given.exec("CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT)");
    given.close();
    const before = names();
    await transfer(root, { do: "file-in", file, other: "given.db" });
    app.exec("PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM");
    const other = ".data/copies/app-before-import.db";
    await transfer(root, { do: "file-in", file, other });
    expect(names()).toEqual(before);
    await transfer(root, { do: "file-in", file, other });
    expect(names()).toEqual([]);
    expect(readdirSync(join(root, ".data/copies"))).toEqual(["app-before-import.db"]);
  });

  it("waits for a writer", async () => {
    const given = new DatabaseSync(join(root, "given.db"));
    given.exec("CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT)");
    given.exec("INSERT INTO guests VALUES (1, 'Eve')");
    given.close();
    app.exec("BEGIN IMMEDIATE; INSERT INTO guests (id, name) VALUES (4, 'Bob')");
    const done = transfer(root, { do: "file-in", file, other: "given.db" });
    const tried = () => vi.mocked(backup).mock.settledResults.map(({ type }) => type);
    await expect.poll(tried).toContain("rejected");
    app.exec("COMMIT");
    await done;
    expect(names()).toEqual(["Eve"]);
  });

  it("changes nothing if it is invalid or damaged", async () => {
    await transfer(root, { do: "file-out", file, other: "broken.db" });
    const bytes = readFileSync(join(root, "broken.db"));
    bytes.fill(0xff, 4096);
    writeFileSync(join(root, "broken.db"), bytes);
    writeFileSync(join(root, "text.db"), "SELECT 1");
    for (const other of ["broken.db", "text.db"])
      await expect(transfer(root, { do: "file-in", file, other }), other).rejects.toThrow(
        /no SQLite database that can be used .* Nothing was changed/,
      );
    expect(names()).toHaveLength(3);
    expect(existsSync(join(root, ".data/copies"))).toBe(false);
  });
});

describe("importing CSV", () => {
  const add = (text: string, table = "guests") => {
    writeFileSync(join(root, "in.csv"), text);
    return transfer(root, { do: "table-in", file, other: "in.csv", table });
  };

  it("inserts its rows with any separator, and an empty field as NULL", async () => {
    expect(await add('\uFEFFName;note\nEve;\n\nBob;""\n')).toBe("Added 2 rows to guests.");
    expect(app.prepare("SELECT note FROM guests WHERE name = 'Eve'").get()).toEqual({ note: null });
    expect(app.prepare("SELECT note FROM guests WHERE name = 'Bob'").get()).toEqual({ note: "" });
  });

  it.each([
    ["", "guests", /The CSV is empty/],
    ["name,age\nEve,3\n", "guests", /no column “age”; it has id, name, note, photo\. Nothing/],
    ["name\nEve\n", "nobody", /There is no table “nobody”/],
    ["id,name\n7,Eve\nx,Bob\n", "guests", /Line 3: .*\. Nothing was added/],
    ["id,name\n7,Eve\n8\n", "guests", /Line 3: 1 fields where the first line has 2/],
    ['name\n"Eve\n', "guests", /Line 2: a quote is not closed/],
    ['name\n"Eve"lyn\n', "guests", /Line 2: text stands behind a quote/],
    ["name,Name\nEve,Bob\n", "guests", /names “name” twice\. Nothing/],
  ])(
    "inserts nothing if a line does not fit, which is reported: %j",
    async (text, table, words) => {
      await expect(add(text, table)).rejects.toThrow(words);
      expect(names()).toHaveLength(3);
    },
  );

  it("refuses another encoding than UTF-8, or decodes it by its byte-order mark", async () => {
    const latin = Buffer.from("name\nGr\u00FCn\n", "latin1");
    writeFileSync(join(root, "in.csv"), latin);
    const given = { do: "table-in", file, other: "in.csv", table: "guests" } as const;
    await expect(transfer(root, given)).rejects.toThrow(/not written in UTF-8.*Nothing was added/);
    writeFileSync(join(root, "in.csv"), Buffer.from("\uFEFFname\nGr\u00FCn\n", "utf16le"));
    await transfer(root, given);
    expect(names()).toContain("Grün");
  });

  it("reports the line that does not fit, even if the table's own rule has ended the transaction", async () => {
    app.exec("CREATE TABLE seats (number INTEGER UNIQUE ON CONFLICT ROLLBACK)");
    writeFileSync(join(root, "in.csv"), "number\n1\n1\n");
    const given = { do: "table-in", file, other: "in.csv", table: "seats" } as const;
    await expect(transfer(root, given)).rejects.toThrow(
      "Line 3: UNIQUE constraint failed: seats.number. Nothing was added.",
    );
  });

  it("splits at the separators of the header, and not inside fields", () => {
    expect(
      readCsv(Buffer.from('"name, first";age\r\n"x, y, z";2')).map(({ fields }) => fields),
    ).toEqual(
      [["name, first", "age"], ["x, y, z", "2"]], // prettier-ignore
    );
  });

  it("includes line numbers", () => {
    expect(readCsv(Buffer.from('a,b\r\n"x\ny",\r\n1,2'))).toEqual([
      { fields: ["a", "b"], quoted: [false, false], line: 1 },
      { fields: ["x\ny", null], quoted: [true, false], line: 2 },
      { fields: ["1", "2"], quoted: [false, false], line: 4 },
    ]);
  });
});
