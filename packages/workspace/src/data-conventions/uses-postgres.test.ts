import { expect, it } from "vitest";
import { createFolder } from "./files-in-folder.test-support.ts";
import { usesPostgres } from "./uses-postgres.ts";

const THERE = { PGHOST: "127.0.0.1" };
const CLIENT = JSON.stringify({ dependencies: { pg: "8.23.1" } });
const NONE = JSON.stringify({ dependencies: { express: "5.0.0" } });

it.each([
  ["a client of PostgreSQL", THERE, { "package.json": CLIENT }, true],
  ["a server, and no client", THERE, { "package.json": NONE }, false],
  ["a client, and no server", {}, { "package.json": CLIENT }, false],
  ["a file that is named", { ...THERE, DATABASE_FILE: "a.db" }, { "package.json": CLIENT }, false],
  ["a package.json that cannot be read", THERE, { "package.json": "{" }, false],
  ["a package.json that is no object", THERE, { "package.json": "null" }, false],
  ["no package.json", THERE, {}, false],
  ["its client in server/", THERE, { "package.json": NONE, "server/package.json": CLIENT }, true],
  ["its client in apps/api/", THERE, { "apps/api/package.json": CLIENT }, true],
  ["the client of another package", THERE, { "node_modules/a/package.json": CLIENT }, false],
  ["a client further down", THERE, { "a/b/c/package.json": CLIENT }, false],
  [
    "settings that lead to it",
    THERE,
    { "backend/.env": "PORT=3001\nDB_HOST=localhost\nDB_PORT=5432\n" },
    true,
  ],
  [
    "an address in its settings",
    THERE,
    { ".env": 'DATABASE_URL="postgresql://a:b@localhost/c"\n' },
    true,
  ],
  [
    "settings that lead elsewhere",
    THERE,
    { ".env": "PORT=15432\nPG=https://postgres.example\n" },
    false,
  ],
  ["its own word for it", THERE, { "treadle.json": '{"database":"postgres"}' }, true],
  ["its own word and no server", {}, { "treadle.json": '{"database":"postgres"}' }, false],
  ["its own word against it", THERE, { "treadle.json": '{"database":"sqlite"}', "package.json": CLIENT }, false], // prettier-ignore
  [
    "a word that is none",
    THERE,
    { "treadle.json": '{"database":7}', "package.json": CLIENT },
    true,
  ],
])("decides whether the data of an app with %s is in PostgreSQL", (_, env, files, uses) => {
  expect(usesPostgres(createFolder(files as Record<string, string>), env)).toBe(uses);
});
