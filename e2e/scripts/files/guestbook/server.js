// The tables are made by migrations.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";

const database = new DatabaseSync("data/app.db");
const all = () => database.prepare("SELECT * FROM guests").all();
const line = ({ name }) => name;
const title = () => "Guests";
// What guests hand in is a file each.
const cards = () => (existsSync("uploads") ? readdirSync("uploads") : []);
const keepCard = (text) => {
  mkdirSync("uploads", { recursive: true });
  writeFileSync(`uploads/card-${cards().length + 1}.txt`, text);
};
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Guests</title>
<h1>${title()}</h1><form method="post"><label>Name <input name="name"></label><button>Sign</button></form>
<p>${cards().length} cards</p><ul>${all()
  .map((guest) => `<li>${escaped(line(guest))}</li>`)
  .join("")}</ul></html>`;

createServer(async (request, response) => {
  if (request.url === "/boom") throw new Error("boom");
  if (request.method === "POST") {
    let body = "";
    for await (const piece of request) body += piece;
    database.prepare("INSERT INTO guests (name) VALUES (?)").run(new URLSearchParams(body).get("name"));
    keepCard(body);
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
