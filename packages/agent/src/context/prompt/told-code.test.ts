/** Checks the code in skills, and their statements about the code of templates. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTemplate } from "@treadle/workspace";
import { migrate } from "../../../../app-database/src/inside/migrate.ts";
import { openSqlite } from "../../../../app-database/src/inside/sqlite-database.ts";
import { expect, it, onTestFinished } from "vitest";

const skill = (name: string) =>
  readFileSync(join(import.meta.dirname, "../skills/own", name, "SKILL.md"), "utf8");
/** The code blocks of a skill, in one language. */
const blocks = (name: string, language: string) =>
  [...skill(name).matchAll(new RegExp("^```" + language + "\\n(.*?)^```", "gms"))].map(
    ([, code]) => code!,
  );
const filesOf = (template: string) =>
  new Map(readTemplate(template).map(({ path, content }) => [path, `${content}`]));
const accounts = filesOf("accounts");
const fullstack = filesOf("fullstack");

it("the code that the data skill shows runs its migration once, and keeps the list that Treadle keeps", async () => {
  const root = mkdtempSync(join(tmpdir(), "treadle-skill-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ["data", "migrations"]) mkdirSync(join(root, folder));
  const sql = blocks("data", "sql").find((one) => one.startsWith("-- migrations/0001_tasks.sql"));
  writeFileSync(join(root, "migrations/0001_tasks.sql"), sql!);
  const runner = blocks("data", "js").find((one) => one.includes("treadle_migrations"));
  const code = `import { createHash } from "node:crypto";
    import { readdirSync, readFileSync } from "node:fs";
    import { DatabaseSync } from "node:sqlite";
    const db = new DatabaseSync("data/app.db");
    ${runner}`;
  const byItself = () =>
    execFileSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", code],
      { cwd: root, stdio: "pipe" },
    );
  byItself();
  byItself();
  const database = openSqlite(root, "data/app.db");
  const ran = await migrate(root, database, { seed: false, copy: false });
  await database.close();
  expect(ran).toMatchObject({ ok: true, lines: [expect.stringContaining("1 have run")] });
});

it("the package that the data skill names for Node 20 is the one that the accounts template has", () => {
  const { optionalDependencies } = JSON.parse(accounts.get("package.json")!) as {
    optionalDependencies: Record<string, string>;
  };
  const [[name, version] = []] = Object.entries(optionalDependencies);
  expect(skill("data")).toContain(`"optionalDependencies": { "${name}": "${version}" }`);
});

it("what the sign-in skill says of passwords and tries is what the fullstack template does", () => {
  const [cost] = /N: 2 \*\* \d+, r: \d+, p: \d+, maxmem: 2 \*\* \d+/.exec(skill("sign-in"))!;
  expect(fullstack.get("backend/src/passwords.ts")).toContain(`{ ${cost} }`);
  expect(fullstack.get("backend/src/auth.ts")).toMatch(/min: 10\b/);
  expect(fullstack.get("backend/src/tries.ts")).toMatch(/MOST = 5\b/);
  expect(accounts.get("src/auth.ts")).toMatch(/"\/sign-in\/email": \{ window: 60, max: 5 \}/);
  for (const name of ["ADMIN_EMAIL", "ADMIN_PASSWORD"]) {
    expect(skill("sign-in")).toContain(`\`${name}\``);
    expect(fullstack.get("backend/.env")).toContain(name);
  }
});

it("what the sign-in skill says of the accounts template's code stands there", () => {
  const sources = [...accounts].filter(([path]) => path.startsWith("src/"));
  const named = ["authOf", "askAuth", "requireUser", "fromOwnPages", "nextPage"];
  for (const name of named) {
    expect(skill("sign-in")).toContain(`${name}`);
    const exported = new RegExp(`export (?:const|function|async function) ${name}\\b`);
    expect([name, sources.some(([, text]) => exported.test(text))]).toEqual([name, true]);
  }
  expect(sources.some(([, text]) => text.includes("BETTER_AUTH_URL"))).toBe(false);
  expect(accounts.get("src/auth.ts")).toMatch(/min: 10\b/);
  expect(accounts.get("src/auth.ts")).toMatch(/rateLimit: \{[^}]*storage: "database"/);
  expect(accounts.get("src/app.ts")).toContain('referrerPolicy: "same-origin"');
  const app = accounts.get("src/app.ts")!;
  expect(app.indexOf("app.use(requireUser)")).toBeGreaterThan(
    app.indexOf('app.route("/", accounts)'),
  );
});
