/** Looks and checks leave the user's data byte for byte unchanged, however often they run. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Evidence } from "@treadle/protocol";
import { expect, it } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";
import { talkTo } from "./support/talk.ts";

/** After one that made the copies: the second meets what the first has left. */
const LOOKS = 2;

/** A guest book in SQLite that refuses existing names, and counts sign-ins in a separate file. */
const SERVER = `
import { DatabaseSync } from "node:sqlite";
import { createServer } from "node:http";
import { appendFileSync, mkdirSync } from "node:fs";
mkdirSync(".data", { recursive: true });
const database = new DatabaseSync("guests.db");
database.exec("PRAGMA journal_mode = wal; CREATE TABLE IF NOT EXISTS guest (name TEXT PRIMARY KEY)");
const page = (said) => '<!doctype html><html lang="en"><title>Guests</title><h1>Guests</h1><form method="post"><label>Name <input name="name" required></label><button>Sign</button></form><p role="status">' + said + "</p><ul>" +
  database.prepare("SELECT name FROM guest").all().map(({ name }) => "<li>" + name + "</li>").join("") + "</ul>";
createServer(async (request, response) => {
  let said = "Welcome";
  if (request.method === "POST") {
    let body = "";
    for await (const piece of request) body += piece;
    try {
      database.prepare("INSERT INTO guest VALUES (?)").run(new URLSearchParams(body).get("name"));
      appendFileSync(".data/signed.txt", "x");
      said = "Signed";
    } catch {
      said = "You have signed before";
    }
  }
  response.setHeader("content-type", "text/html");
  response.end(page(said));
}).listen(3000);
`;
const FILES = {
  "package.json": JSON.stringify({
    name: "guests",
    type: "module",
    scripts: { dev: "node server.js" },
  }),
  "server.js": SERVER,
  ".treadle/checks.md": `## Signs
- type "Ada" in textbox "Name"
- click button "Sign"
- expect listitem "Ada"

## Welcomes who signs
- type "Ada" in textbox "Name"
- click button "Sign"
- expect "Signed"
`,
};

let { treadle } = {} as Stage;
let project = "";
setStage({ page: false }, async (stage) => {
  ({ treadle } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  for (const [path, text] of Object.entries(FILES))
    await treadle.api(`/api/projects/${project}/files/${path}`, {
      method: "PUT",
      headers: { "if-none-match": "*" },
      body: JSON.stringify({ text }),
    });
});
const { api, read } = talkTo(
  () => treadle,
  () => project,
);

let seen = 0;
async function look(): Promise<Evidence> {
  await api("/check", { method: "POST" });
  const entries = await read(seen, (event) => event.type === "look-end");
  seen = Math.max(seen, ...entries.map(({ seq }) => seq));
  const evidence = entries.flatMap(({ event }) =>
    event.type === "evidence" ? [event.evidence] : [],
  );
  return evidence.at(-1)!;
}

function digests(): Record<string, string> {
  const files = globSync("**/{guests.db,guests.db-wal,signed.txt}", { cwd: treadle.data });
  return Object.fromEntries(
    files
      .filter((path) => !path.includes("/copy-"))
      .map((path) => [
        path,
        createHash("sha256")
          .update(readFileSync(join(treadle.data, path)))
          .digest("hex"),
      ]),
  );
}

it(`after ${LOOKS} looks with checks that write, the user's database is byte for byte the same`, async () => {
  await look();
  const before = digests();
  expect(Object.keys(before).length).toBeGreaterThan(0);
  for (let count = 0; count < LOOKS; count++) {
    const { checks, parts } = await look();
    expect(parts.page.state).toBe("held");
    // The second check sees no guest of the first, and no look sees one of an earlier look.
    expect(checks?.map(({ state, firstTry }) => [state, firstTry])).toEqual([
      ["held", undefined],
      ["held", undefined],
    ]);
    expect(digests()).toEqual(before);
  }
}, 600_000);
