import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { migrate } from "../app-database/migrate.ts";
import { openSqlite } from "../app-database/sqlite-database.ts";
import { listTemplates, readTemplate, templatesToPrepare } from "./templates.ts";

it("each template reads whole, with its .gitignore, and asks for exact versions alone", () => {
  for (const name of listTemplates()) {
    const files = new Map(readTemplate(name).map(({ path, content }) => [path, content]));
    expect([name, files.has(".gitignore")]).toEqual([name, true]);
    const manifest = JSON.parse(files.get("package.json") ?? "{}");
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(ranges.filter((range) => !/^\d+\.\d+\.\d+$/.test(String(range)))).toEqual([]);
    if (name !== "static") expect(manifest.scripts.dev).toBeDefined();
  }
});

it("a package is asked for in one version by all templates, but for TypeScript's", () => {
  const versions = new Map<string, Set<string>>();
  for (const name of listTemplates()) {
    const text = readTemplate(name).find(({ path }) => path === "package.json")?.content ?? "{}";
    const { dependencies, devDependencies } = JSON.parse(text);
    for (const [each, version] of Object.entries({ ...dependencies, ...devDependencies }))
      versions.set(each, (versions.get(each) ?? new Set()).add(String(version)));
  }
  const several = [...versions].filter(([, all]) => all.size > 1).map(([name]) => name);
  // vue-tsc, svelte-check and astro check use its older programming interface.
  expect(several).toEqual(["typescript"]);
});

it("pages name their language and no template fetches anything from elsewhere", () => {
  for (const name of listTemplates())
    for (const { path, content } of readTemplate(name)) {
      if (content.includes("<html"))
        expect([name, path, content]).toContainEqual(expect.stringContaining('<html lang="en">'));
      expect([name, path, /https:\/\//.test(content)]).toEqual([name, path, false]);
    }
});

it("all are prepared, or those that are named, the most used first", () => {
  expect(templatesToPrepare({})).toEqual(listTemplates());
  expect(templatesToPrepare({ TREADLE_PREPARE: "" })).toEqual(listTemplates());
  expect(templatesToPrepare({ TREADLE_PREPARE: "hono, react nothing" })).toEqual(["react", "hono"]);
  expect(templatesToPrepare({ TREADLE_PREPARE: "none" })).toEqual([]);
});

it("a name that is none is refused in words", () => {
  expect(() => readTemplate("../..")).toThrow(/there is no template "..\/.."/);
});

it("no template leaves its TypeScript to Node itself, which runs it from 22.18 on alone", () => {
  for (const name of listTemplates()) {
    const text = readTemplate(name).find(({ path }) => path === "package.json")?.content ?? "{}";
    const scripts: string[] = Object.values(JSON.parse(text).scripts ?? {});
    expect([name, scripts.filter((one) => /\bnode\b.*\.ts\b/.test(one))]).toEqual([name, []]);
  }
});

it("accounts keeps its schema in migrations, which run once, whether Treadle or the app itself runs them", async () => {
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
