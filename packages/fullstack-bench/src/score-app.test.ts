import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDriver, type WorkspaceDriver } from "@treadle/workspace";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createBrowser } from "@treadle/browser";
import { startJudgesPostgres, UnusableDatabase } from "./judges-postgres.ts";
import { scoreApp } from "./score-app.ts";
import type { RuleCode, Score, ScoreRequest } from "./types.ts";

let cache: string;
let folder: string;
let driver: WorkspaceDriver;
const { signal } = new AbortController();
beforeAll(async () => {
  cache = mkdtempSync(join(tmpdir(), "treadle-judges-cache-"));
  driver = await createDriver({ cacheDirectory: cache, env: process.env });
});
afterAll(async () => {
  await driver.close();
  rmSync(cache, { recursive: true, force: true });
});
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "treadle-judges-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function app(files: Record<string, string>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "app", path)), { recursive: true });
    writeFileSync(join(folder, "app", path), text);
  }
  return join(folder, "app");
}

const score = (request: Omit<ScoreRequest, "signal">): Promise<Score> =>
  scoreApp(
    {
      driver,
      work: join(folder, "work"),
      openBrowser: (gateway) => createBrowser({ cacheDirectory: cache, env: process.env, gateway }),
    },
    { ...request, signal },
  );

const ruleOf = <Code extends RuleCode>({ rules }: Score, code: Code) =>
  rules.find(
    (rule): rule is Extract<Score["rules"][number], { code: Code }> => rule.code === code,
  )!;
const statesOf = ({ rules }: Score) => rules.map(({ code, state }) => `${code} ${state}`);

const manifest = (scripts: object, dependencies = {}) =>
  JSON.stringify({ private: true, type: "module", scripts, dependencies });
const PAGE = "<!doctype html><title>Notes</title><h1>Notes</h1>";
const serving = (text: string, script = "console.log('http://localhost:4400');") =>
  `import { createServer } from "node:http";
createServer((request, response) => response.setHeader("content-type", "text/html").end(${JSON.stringify(text)}))
  .listen(4400, () => { ${script} });`;

it("passes a static site, in which nothing of a database applies", async () => {
  const result = await score({
    folder: app({
      "package.json": manifest({ "install:all": "npm install", dev: "node server.js" }),
      "server.js": serving(PAGE),
    }),
    structures: [],
    log: join(folder, "log"),
  });
  expect(result.passes).toBe(true);
  expect(statesOf(result)).toEqual([
    "layout held",
    "install held",
    "start held",
    "page held",
    "api inapplicable",
    "database-opens inapplicable",
    "database-reached inapplicable",
    "rows-written inapplicable",
    "tables inapplicable",
  ]);
  expect(readdirSync(join(folder, "log")).join(" ")).toMatch(/^page\.(?:png|jpg)$/);
  // Nothing is installed in what was handed over.
  expect(readdirSync(join(folder, "app")).toSorted()).toEqual(["package.json", "server.js"]);
  expect(readdirSync(join(folder, "work"))).toEqual([]);
}, 120_000);

it("fails a folder whose scripts are missing, without running anything", async () => {
  const result = await score({
    folder: app({ "package.json": manifest({ dev: "touch ran" }) }),
    structures: [],
  });
  expect(ruleOf(result, "layout")).toMatchObject({ state: "failed", missing: ["install:all"] });
  expect(ruleOf(result, "start").state).toBe("untried");
  expect(result.passes).toBe(false);
});

it("fails an install that breaks and a server that ends, and goes on as the judges do", async () => {
  const result = await score({
    folder: app({
      "site/package.json": manifest({
        "install:all": "npm install --prefix nowhere && exit 3",
        dev: "node server.js",
      }),
      "site/server.js": "console.error('http://localhost:4400'); process.exit(7);",
    }),
    structures: [],
  });
  expect(ruleOf(result, "layout")).toMatchObject({ state: "held", root: "site" });
  expect(ruleOf(result, "install").state).toBe("failed");
  // An address on stderr is none: the judges do not read it.
  expect(ruleOf(result, "start")).toMatchObject({ state: "failed", port: null, ended: 7 });
  expect(ruleOf(result, "page").state).toBe("untried");
}, 60_000);

it("runs no checks of a folder that a link stands for", async () => {
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "elsewhere", "checks.md"), '## Elsewhere\n- expect "Notes"\n');
  const made = app({
    "package.json": manifest({ "install:all": "true", dev: "node server.js" }),
    "server.js": serving(PAGE),
  });
  symlinkSync(join(folder, "elsewhere"), join(made, ".treadle"));
  const result = await score({ folder: made, structures: [] });
  expect(ruleOf(result, "rows-written").checks).toEqual([]);
  expect(readdirSync(join(folder, "elsewhere"))).toEqual(["checks.md"]);
}, 120_000);

it("fails a first address that is no page", async () => {
  const result = await score({
    folder: app({
      "package.json": manifest({ "install:all": "true", dev: "node server.js" }),
      "server.js": serving("").replace("text/html", "application/json"),
    }),
    structures: [],
  });
  expect(ruleOf(result, "page")).toMatchObject({ state: "failed", status: 200, isHtml: false });
}, 120_000);

const SERVER = `import { createServer } from "node:http";
import pg from "pg";
// A host that is not told has to be known by the app itself.
if (process.env.PGHOST) throw new Error("told");
const pool = new pg.Pool({ host: "localhost", port: 5432, user: "myappuser", password: "myapppassword", database: "myapp" });
const page = \`${PAGE}<ul></ul><form><label>Note <input></label><button>Add</button></form><script>
  const show = async (answer) => document.querySelector("ul").innerHTML = (await answer.json()).map(({ text }) => "<li>" + text).join("");
  fetch("/api/notes").then(show);
  document.querySelector("form").onsubmit = (event) => { event.preventDefault(); fetch("/api/notes", { method: "POST", body: document.querySelector("input").value }).then(show); };
</script>\`;
createServer(async (request, response) => {
  if (request.url === "/") return response.setHeader("content-type", "text/html").end(page);
  const isRead = request.method === "GET" && request.url === "/api/notes";
  if (request.method === "POST") await pool.query("INSERT INTO notes (text) VALUES ($1)", [(await request.toArray()).join("")]);
  if (isRead || request.method === "POST") response.setHeader("content-type", "application/json").end(JSON.stringify((await pool.query("SELECT text FROM notes")).rows));
  else response.writeHead(404).end();
}).listen(4400, () => console.log("http://localhost:4400"));`;

it("opens the data directory that was handed over, counts what its checks write, and leaves it as it was", async () => {
  const database = join(folder, "log", "db");
  const made = await startJudgesPostgres(driver, { work: join(folder, "work", "pg"), signal });
  const client = new Client(await made.config());
  await client.connect();
  await client.query("CREATE TABLE notes (id serial PRIMARY KEY, text text); INSERT INTO notes (text) VALUES ('Milk')"); // prettier-ignore
  await client.end();
  await made.stop(database);
  // The programs are fetched once: without a registry the next one starts all the same.
  const offline = await createDriver({
    cacheDirectory: cache,
    env: { ...process.env, npm_config_registry: "http://127.0.0.1:1/" },
  });
  const next = await startJudgesPostgres(offline, { work: join(folder, "work", "next"), signal });
  await next.stop();
  await offline.close();
  expect(readFileSync(join(database, "PG_VERSION"), "utf8").trim()).toBe("14");
  expect(existsSync(join(database, "postmaster.pid"))).toBe(false);

  const result = await score({
    folder: app({
      "package.json": manifest({ "install:all": "npm install", dev: "node server.js" }, { pg: "8.23.1" }), // prettier-ignore
      "server.js": SERVER,
      ".treadle/checks.md": `## Adds a note
- expect text "Milk"
- type "Bread" in textbox "Note"
- click button "Add"
- expect text "Bread"
## Only looks
- expect text "Milk"
`,
    }),
    database,
    structures: ["notes", "weather"],
    log: join(folder, "log"),
  });
  expect(statesOf(result)).toEqual([
    "layout held",
    "install held",
    "start held",
    "page held",
    "api held",
    "database-opens held",
    "database-reached held",
    "rows-written held",
    "tables failed",
  ]);
  expect(ruleOf(result, "database-reached")).toMatchObject({ checks: 2, during: 2 });
  expect(ruleOf(result, "rows-written")).toMatchObject({
    writes: 1,
    checks: [
      { name: "Adds a note", held: true, writes: 1 },
      { name: "Only looks", held: true, writes: 0 },
    ],
  });
  expect(ruleOf(result, "tables").structures).toEqual([
    { structure: "notes", tables: ["notes"] },
    { structure: "weather", tables: [] },
  ]);
  expect(readFileSync(join(folder, "log", "statements.csv"), "utf8")).toContain(
    "INSERT INTO notes",
  );
  expect(existsSync(join(database, "log"))).toBe(false);
}, 180_000);

it("fails a data directory of another version", async () => {
  const database = join(folder, "db");
  mkdirSync(database);
  writeFileSync(join(database, "PG_VERSION"), "15\n");
  await expect(
    startJudgesPostgres(driver, { work: join(folder, "work"), from: database, signal }),
  ).rejects.toThrow(UnusableDatabase);
  const result = await score({
    folder: app({ "package.json": manifest({ "install:all": "true", dev: "true" }) }),
    database,
    structures: ["notes"],
  });
  expect(ruleOf(result, "database-opens")).toMatchObject({ state: "failed", version: "15" });
  expect(ruleOf(result, "start").state).toBe("untried");
});
