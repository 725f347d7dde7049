// The tables are made by migrations.
import { createServer } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
pool.on("error", (error) => console.error(error.message));
const line = ({ name }) => name;
const title = () => "Guests";
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (guests) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Guests</title>
<h1>${title(guests)}</h1><form method="post"><label>Name <input name="name"></label><button>Sign</button></form>
<ul>${guests.map((guest) => `<li>${escaped(line(guest))}</li>`).join("")}</ul></html>`;

createServer(async (request, response) => {
  if (request.method === "POST") {
    let body = "";
    for await (const piece of request) body += piece;
    await pool.query("INSERT INTO guests (name) VALUES ($1)", [new URLSearchParams(body).get("name")]);
    response.writeHead(303, { location: "/" }).end();
    return;
  }
  const { rows } = await pool.query("SELECT * FROM guests ORDER BY id");
  response
    .writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
    })
    .end(page(rows));
}).listen(process.env.PORT ?? 3000);
