import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import {
  createFakeWorkspace,
  type FakeWorkspaceOptions,
} from "../../testing/fake-workspace.test-support.ts";
import { postgresText } from "./tell-postgres.ts";

const WITH_CLIENT = { "server/package.json": '{ "dependencies": { "pg": "8" } }' };

function brief(
  files: Record<string, string>,
  words = "",
  {
    answer,
    before = "",
    there = true,
  }: { answer?: unknown; before?: string; there?: boolean } = {},
) {
  const command: FakeWorkspaceOptions["command"] = (text) =>
    text.includes("treadle-db") ? { output: JSON.stringify(answer) } : undefined;
  const workspace = Object.assign(createFakeWorkspace({ files, command }), {
    ...(there && { hasPostgres: true as const }),
  });
  return postgresText(workspace, Object.keys(files).map(toProjectPath), words, before).then(
    (text) => ({ text, asked: workspace.commands.length }),
  );
}

it("does not mention PostgreSQL, and queries nothing, if neither files nor the person refer to it", async () => {
  const files = { "package.json": '{ "dependencies": { "hono": "4" } }', ".env": "PORT=5433\nA=b" };
  expect(await brief(files, "Build a to-do list with 15432 items")).toEqual({
    text: "",
    asked: 0,
  });
});

it("gives the address if the person's message, an environment file or the sources refer to it", async () => {
  const answer = { answer: { columns: ["a"], rows: [] } };
  const meant: [Record<string, string>, string][] = [
    [{}, "用 PostgreSQL 存数据"],
    [{}, "DB_HOST=localhost DB_PORT=5432 DB_NAME=myapp"],
    [{ ".env": "DATABASE_URL=postgres://a:b@localhost/c" }, ""],
    [{ "backend/.env.example": "DB_PORT=5432" }, ""],
    [{ ".env": "PGHOST=localhost" }, ""],
    [WITH_CLIENT, ""],
    [{ "treadle.json": '{ "database": "postgres" }' }, ""],
  ];
  for (const [files, words] of meant) {
    const { text } = await brief(files, words, { answer });
    expect(text).toContain("localhost:5432");
    expect(text).toMatch(/, empty/);
  }
});

it("names the existing tables, and says so if the database cannot be queried", async () => {
  const rows = [["public.users"], ["shop.orders"]];
  const { text } = await brief(WITH_CLIENT, "", { answer: { answer: { columns: ["t"], rows } } });
  expect(text).toContain('"users", "shop.orders"');
  const failing = await brief(WITH_CLIENT, "", { answer: { problem: "no room" } });
  expect(failing.text).toContain("no room");
  expect((await brief(WITH_CLIENT, "", { answer: [1] })).text).toContain("cannot be asked");
});

it("never reveals a value of an environment file", async () => {
  const { text } = await brief({ ".env": "DATABASE_URL=postgres://me:verysecret@far/x" });
  expect(text).not.toContain("verysecret");
});

it("says if PostgreSQL is unavailable, and does not repeat it", async () => {
  const missing = await brief({}, "Use Postgres", { there: false });
  expect(missing.text).toContain("5432");
  expect(missing.text).not.toContain("localhost");
  const inTab = Object.assign(createFakeWorkspace(), { hasSockets: false as const });
  expect(await postgresText(inTab, [], "Use Postgres", "")).toMatch(/browser.*PostgreSQL/);
  expect((await brief({}, "Make it blue", { before: "told" })).text).toContain("localhost:5432");
});
