import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { migrate } from "../../../app-database/src/inside/migrate.ts";
import { postgresPrograms, startPostgres } from "../testing/postgres.test-support.ts";
import { openPostgres } from "../../../app-database/src/inside/postgres-database.ts";
import { openSqlite } from "../../../app-database/src/inside/sqlite-database.ts";
import { listTemplates, readTemplate, templatesToPrepare } from "./templates.ts";

/** All package.json files of a template: its own and those of its workspaces. */
const manifestsOf = (name: string): Record<string, Record<string, string>>[] =>
  readTemplate(name)
    .filter(({ path }) => /(?:^|\/)package\.json$/.test(path))
    .map(({ content }) => JSON.parse(content));

it("each template can be read completely, with its .gitignore, and requires exact versions only", () => {
  for (const name of listTemplates()) {
    const files = new Map(readTemplate(name).map(({ path, content }) => [path, content]));
    expect([name, files.has(".gitignore")]).toEqual([name, true]);
    const manifest = JSON.parse(files.get("package.json") ?? "{}");
    for (const { dependencies, devDependencies } of manifestsOf(name)) {
      const ranges = Object.values({ ...dependencies, ...devDependencies });
      expect(ranges.filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    }
    if (name !== "static") expect(manifest.scripts.dev).toBeDefined();
  }
});

it("all templates require the same version of a package, except for TypeScript", () => {
  const versions = new Map<string, Set<string>>();
  for (const { dependencies, devDependencies } of listTemplates().flatMap(manifestsOf)) {
    for (const [each, version] of Object.entries({ ...dependencies, ...devDependencies }))
      versions.set(each, (versions.get(each) ?? new Set()).add(String(version)));
  }
  const several = [...versions].filter(([, all]) => all.size > 1).map(([name]) => name);
  // vue-tsc, svelte-check and astro check use its older programming interface.
  expect(several).toEqual(["typescript"]);
});

it("pages declare their language, and no template downloads anything from elsewhere", () => {
  for (const name of listTemplates())
    for (const { path, content } of readTemplate(name)) {
      if (content.includes("<html"))
        expect([name, path, content]).toContainEqual(expect.stringContaining('<html lang="en">'));
      expect([name, path, /https:\/\//.test(content)]).toEqual([name, path, false]);
    }
});

it("all templates or the named ones are prepared, the most used first", () => {
  expect(templatesToPrepare({})).toEqual(listTemplates());
  expect(templatesToPrepare({ TREADLE_PREPARE: "" })).toEqual(listTemplates());
  expect(templatesToPrepare({ TREADLE_PREPARE: "hono, react nothing" })).toEqual(["react", "hono"]);
  expect(templatesToPrepare({ TREADLE_PREPARE: "none" })).toEqual([]);
});

it("an unknown name is refused with a message", () => {
  expect(() => readTemplate("../..")).toThrow(/there is no template "..\/.."/);
});

it("no template relies on Node to run TypeScript, which only works from 22.18 on", () => {
  for (const name of listTemplates()) {
    const scripts = manifestsOf(name).flatMap(({ scripts = {} }) => Object.values(scripts));
    expect([name, scripts.filter((one) => /\bnode\b.*\.ts\b/.test(one))]).toEqual([name, []]);
  }
});

it("accounts has its schema in migrations that run once, whether Treadle or the app itself runs them", async () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-accounts-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const { path, content } of readTemplate("accounts")) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const byTreadle = async () => {
    const database = openSqlite(root, "data/app.db");
    const ran = await migrate(root, database, { seed: true, copy: false });
    await database.close();
    return ran;
  };
  const byItself = () =>
    execFileSync(
      process.execPath,
      [
        "--disable-warning=ExperimentalWarning",
        "--input-type=module",
        "--eval",
        `import { DatabaseSync } from "node:sqlite";
         import { migrate } from "./src/migrate.ts";
         migrate(new DatabaseSync("data/app.db"));`,
      ],
      { cwd: root, stdio: "pipe" },
    );
  const listed = async () => {
    const database = openSqlite(root, "data/app.db");
    const ran = await database.applied();
    await database.close();
    return ran.map(({ name }) => name);
  };
  const all = ["0001_accounts.sql", "0002_notes.sql"];
  await byTreadle();
  byItself();
  expect(await listed()).toEqual(all);
  rmSync(join(root, "data"), { recursive: true });
  mkdirSync(join(root, "data"));
  byItself();
  expect(await listed()).toEqual(all);
  expect(await byTreadle()).toMatchObject({
    ok: true,
    lines: [expect.stringContaining("2 have run")],
  });
});

it.runIf(postgresPrograms !== undefined)(
  "fullstack has its schema in migrations that run once, whether Treadle, a server's administrator or the app itself runs them",
  async () => {
    const template = join(import.meta.dirname, "../../templates/fullstack/backend");
    // A copy in a place from which the installed packages can be resolved.
    const backend = mkdtempSync(join(import.meta.dirname, "../../.fullstack-"));
    onTestFinished(() => rmSync(backend, { recursive: true, force: true }));
    cpSync(template, backend, { recursive: true });
    const { url, close } = await startPostgres();
    onTestFinished(close);
    const { hostname, port, username, password } = new URL(url);
    const address = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
    for (const [name, value] of Object.entries({ ...address, PGDATABASE: "postgres" }))
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const byItself = () =>
      execFileSync(
        process.execPath,
        [
          "--input-type=module",
          "--eval",
          'import { migrate } from "./src/migrate.ts"; await migrate(); process.exit();',
        ],
        { cwd: backend, stdio: "pipe" },
      );
    const byTreadle = async (
      work: (database: Awaited<ReturnType<typeof openPostgres>>) => unknown,
    ) => {
      const database = await openPostgres();
      await work(database);
      await database.close();
    };
    const sql = readTemplate("fullstack").find(({ path }) =>
      path.endsWith("0001_users.sql"),
    )!.content;
    await byTreadle((database) => database.query(sql, 1));
    byItself();
    byItself();
    await byTreadle(async (database) => {
      // Its seed.sql contains no statement yet: statements added later must still run.
      expect((await database.applied()).map(({ name }) => name)).toEqual(["0001_users.sql"]);
      expect(await migrate(backend, database, { seed: true, copy: false })).toMatchObject({
        ok: true,
        lines: [expect.stringContaining("have run")],
      });
      await database.reset();
      expect(await migrate(backend, database, { seed: true, copy: false })).toMatchObject({
        ok: true,
      });
    });
    byItself();
    writeFileSync(
      join(backend, "seed.sql"),
      "-- One.\nINSERT INTO users (email, name, password) VALUES ('a@b.example', 'A', 'x');",
    );
    byItself();
    byItself();
    await byTreadle(async (database) => {
      expect((await database.applied()).map(({ name }) => name)).toEqual([
        "seed.sql",
        "0001_users.sql",
      ]);
      expect(await database.query("SELECT name FROM users", 9)).toMatchObject([{ rows: [["A"]] }]);
    });
  },
);

it.runIf(postgresPrograms !== undefined)(
  "fullstack lets an administrator change the first password, slows down wrong ones and refuses other sites",
  async () => {
    const template = join(import.meta.dirname, "../../templates/fullstack/backend");
    const backend = mkdtempSync(join(import.meta.dirname, "../../.fullstack-"));
    onTestFinished(() => rmSync(backend, { recursive: true, force: true }));
    cpSync(template, backend, { recursive: true });
    const { url, close } = await startPostgres();
    onTestFinished(close);
    const { hostname, port, username, password } = new URL(url);
    const code = `
      import { migrate } from "./src/migrate.ts";
      import { seedAdmin } from "./src/auth.ts";
      import { app } from "./src/app.ts";
      await migrate();
      await seedAdmin();
      const post = async (path, body, headers = {}) => {
        const answer = await app.request("http://shop.example" + path, {
          method: "POST",
          headers: { host: "shop.example", "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        });
        const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0];
        return { status: answer.status, cookie };
      };
      const signIn = (password, headers) =>
        post("/api/auth/sign-in", { email: "admin@example.com", password }, headers);
      const me = async (cookie) =>
        (await (await app.request("/api/auth/me", { headers: { cookie } })).json()).user?.role;
      const said = {};
      said.otherSite = (await signIn("admin123", { origin: "http://evil.example" })).status;
      const { status, cookie } = await signIn("admin123", { origin: "http://shop.example" });
      said.signIn = status;
      const other = (await signIn("admin123")).cookie;
      const change = (current, password, headers = { cookie }) =>
        post("/api/auth/password", { current, password }, headers).then(({ status }) => status);
      said.changes = [
        await change("admin123", "a new long one", {}),
        await change("admin123", "short"),
        await change("wrong", "a new long one"),
        await change("admin123", "a new long one"),
      ];
      said.sessions = [await me(cookie), await me(other)];
      said.passwords = [(await signIn("admin123")).status, (await signIn("a new long one")).status];
      await signIn("wrong");
      await signIn("wrong");
      await signIn("wrong");
      said.late = (await signIn("a new long one")).status;
      said.weak = (await post("/api/auth/register", { email: "a@b.example", name: "A", password: "nine char" })).status;
      console.log(JSON.stringify(said));
      process.exit();`;
    const out = execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
      cwd: backend,
      encoding: "utf8",
      env: {
        ...process.env,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: password,
        PGDATABASE: "postgres",
        ADMIN_EMAIL: "admin@example.com",
        ADMIN_PASSWORD: "admin123",
      },
    });
    expect(JSON.parse(out)).toEqual({
      otherSite: 403,
      signIn: 200,
      changes: [401, 422, 422, 200],
      sessions: ["admin", null],
      passwords: [401, 200],
      late: 429,
      weak: 422,
    });
  },
);
