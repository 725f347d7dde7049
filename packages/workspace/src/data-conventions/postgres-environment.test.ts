import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFolder } from "./files-in-folder.test-support.ts";
import { POSTGRES_ADDRESS } from "@treadle/egress/postgres-address";
import { postgresEnvironment } from "./postgres-environment.ts";

const CLIENT = { "backend/package.json": '{ "dependencies": { "pg": "8.23.1" } }' };
const BASE = { PATH: "/bin", ...POSTGRES_ADDRESS };
const environment = (files: Record<string, string>, more?: Record<string, string>) =>
  postgresEnvironment(createFolder(files), BASE, more);

it("provides the address in every usual way if the project uses PostgreSQL", () => {
  expect(environment(CLIENT)).toEqual({
    ...BASE,
    DATABASE_URL: "postgres://app:app@localhost:5432/app",
    DB_HOST: "localhost",
    DB_PORT: "5432",
    DB_USER: "app",
    DB_USERNAME: "app",
    DB_PASSWORD: "app",
    DB_NAME: "app",
    DB_DATABASE: "app",
  });
});

it.each([
  ["means SQLite or nothing", {}],
  ["says that it is SQLite", { ...CLIENT, "treadle.json": '{ "database": "sqlite" }' }],
])("adds nothing to a project that %s", (_, files) => {
  expect(environment(files)).toEqual(BASE);
});

it("stays unchanged if there is no PostgreSQL", () => {
  expect(postgresEnvironment(createFolder(CLIENT), { PATH: "/bin" })).toEqual({ PATH: "/bin" });
});

it("leaves variables of the project's own .env to it, and is consistent with them", () => {
  const files = {
    ...CLIENT,
    "backend/.env": "DB_HOST=localhost\nDB_USERNAME='shop owner'\nDB_NAME=shop\nPGDATABASE=other\n",
  };
  const env = environment(files);
  for (const name of ["DB_HOST", "DB_USERNAME", "DB_NAME", "PGDATABASE"])
    expect(env).not.toHaveProperty(name);
  expect(env).toMatchObject({
    PGHOST: "127.0.0.1",
    DATABASE_URL: "postgres://shop%20owner:app@localhost:5432/shop",
    DB_USER: "shop owner",
    DB_DATABASE: "shop",
  });
});

it.each([
  ["DATABASE_URL", "DATABASE_URL=postgres://a:b@db.example:5432/c"],
  ["PGHOST", "PGHOST=ep-cool.example"],
  ["DB_HOST", "DB_HOST=10.0.0.7"],
])("adds nothing if the address leads elsewhere, in %s", (_, line) => {
  expect(environment({ ...CLIENT, ".env.local": `${line}\n` })).toEqual({ PATH: "/bin" });
});

it("ignores example environments, and does not take a SQLite file for another server", () => {
  const example = { ...CLIENT, ".env.example": "DATABASE_URL=postgres://a:b@db.example/c\n" };
  expect(environment(example)).toHaveProperty("DATABASE_URL");
  const prisma = environment({ ".env": 'DATABASE_URL="file:./dev.db"\n' });
  expect(prisma).toEqual(BASE);
});

it("leaves variables that are set for the process unchanged", () => {
  const env = environment(CLIENT, { DATABASE_URL: "postgres://localhost/own", PGUSER: "me" });
  expect(env).not.toHaveProperty("DATABASE_URL");
  expect(env).not.toHaveProperty("PGUSER");
  expect(env).toHaveProperty("DB_HOST");
});

it("does not block on a pipe in place of a file", () => {
  const root = createFolder(CLIENT);
  for (const name of [".env", "package.json", "treadle.json"])
    execFileSync("mkfifo", [join(root, name)]);
  expect(postgresEnvironment(root, BASE)).toHaveProperty("DATABASE_URL");
});
