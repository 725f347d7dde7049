import { expect, it } from "vitest";
import { FakeDriver } from "../../../../workspace/src/testing/fake-workspace.test-support.ts";
import { findMissingVariables } from "./missing-variables.ts";

const NO_SETTINGS = { hosts: [], secrets: [] };
const SERVER = {
  "package.json": JSON.stringify({
    scripts: { start: "node server.js" },
    dependencies: { pg: "8" },
  }),
  "server.js": "",
};

async function missing(
  files: Record<string, string>,
  secrets: { name: string; value: string; host: string }[] = [],
  hasPostgres = true,
) {
  const workspace = await new FakeDriver().open({
    project: "p",
    directory: "/p",
    stateDirectory: "/p.state",
    settings: NO_SETTINGS,
  });
  for (const [path, text] of Object.entries(files)) workspace.put(path, text);
  const found = await findMissingVariables(workspace, { hosts: [], secrets }, { hasPostgres });
  return found.map(({ code, path, variables }) => ({
    code,
    path,
    variables: variables.map(({ name, value }) => `${name}=${value}`),
  }));
}

it("names variables of a .env file that the published app lacks", async () => {
  const found = await missing({
    ...SERVER,
    "backend/.env":
      '\uFEFFADMIN_EMAIL=ada@example.com\nexport ADMIN_PASSWORD="a # b" # so\nEMPTY=\n# OFF=1\n',
  });
  expect(found).toEqual([
    {
      code: "env-not-published",
      path: "backend/.env",
      variables: ["ADMIN_EMAIL=ada@example.com", "ADMIN_PASSWORD=a # b"],
    },
  ]);
});

it("ignores examples, other modes, files written by the app, and variables supplied by a secret", async () => {
  const found = await missing(
    {
      ...SERVER,
      ".env.example": "A=1\n",
      ".env.test": "B=1\n",
      ".env.development": "C=1\n",
      ".data/.env": "D=1\n",
      ".env": "KEY=1\nKEY_HOST=example.com\n",
    },
    [{ name: "KEY", value: "another", host: "example.com" }],
  );
  expect(found).toEqual([]);
});

it("ignores variables that Treadle sets, and those of its sandbox", async () => {
  const own =
    "PORT=3001\nNODE_ENV=development\nAPP_URL=http://localhost\nNODE_OPTIONS=--no-warnings\n";
  const database = "DB_HOST=localhost\nDATABASE_URL=postgres://app@localhost:5432/app\n";
  expect(await missing({ ...SERVER, ".env": own + database })).toEqual([]);
});

it("names the address of a database that Treadle does not supply", async () => {
  const names = async (...given: Parameters<typeof missing>) =>
    (await missing(...given)).flatMap(({ variables }) => variables);
  const elsewhere = "DATABASE_URL=postgres://app@db.example.com/app";
  expect(await names({ ...SERVER, ".env": elsewhere })).toEqual([elsewhere]);
  const local = "DATABASE_URL=postgres://app@localhost/app";
  expect(await names({ ...SERVER, ".env": local }, [], false)).toEqual([local]);
  const sqlite = "DATABASE_URL=file:./dev.db";
  const manifest = JSON.stringify({ scripts: { start: "node server.js" } });
  expect(await names({ "package.json": manifest, ".env": sqlite })).toEqual([sqlite]);
});

it("lists the file last whose values take precedence", async () => {
  const found = await missing({
    ...SERVER,
    ".env.production": "A=2\n",
    ".env": "A=1\n",
    ".env.local": "B=3\n",
  });
  expect(found.map(({ path }) => path)).toEqual([".env", ".env.local", ".env.production"]);
});

it("distinguishes a site, whose build gets no secrets", async () => {
  const found = await missing({
    "package.json": JSON.stringify({
      scripts: { build: "vite build" },
      devDependencies: { vite: "8" },
    }),
    "index.html": "",
    ".env": "VITE_TITLE=Shop\n",
  });
  expect(found).toMatchObject([{ code: "env-not-built", variables: ["VITE_TITLE=Shop"] }]);
});
