import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

mkdirSync("data", { recursive: true });
const database = new DatabaseSync("data/guests.db");
database.exec("PRAGMA journal_mode=WAL; CREATE TABLE IF NOT EXISTS guests (name TEXT)");
const all = () => database.prepare("SELECT name FROM guests").all();
const title = () => "Guests";
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Guests</title>
<h1>${title()}</h1><form method="post"><label>Name <input name="name"></label><button>Sign</button></form>
<ul>${all()
  .map(({ name }) => `<li>${escaped(name)}</li>`)
  .join("")}</ul></html>`;

createServer(async (request, response) => {
  if (request.url === "/boom") throw new Error("boom");
  if (request.method === "POST") {
    let body = "";
    for await (const piece of request) body += piece;
    database.prepare("INSERT INTO guests VALUES (?)").run(new URLSearchParams(body).get("name"));
    response.writeHead(303, { location: "/" }).end();
    return;
  }
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
    })
    .end(page());
}).listen(process.env.PORT ?? 3000);
