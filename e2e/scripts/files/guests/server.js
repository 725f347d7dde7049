import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import Database from "better-sqlite3";

/** Names are kept by the package, visits by what Node brings: both are files of the project. */
const guests = new Database("guests.db");
guests.pragma("journal_mode = WAL");
guests.exec("CREATE TABLE IF NOT EXISTS guests (name TEXT NOT NULL)");
const visits = new DatabaseSync("visits.sqlite");
visits.exec("CREATE TABLE IF NOT EXISTS visits (at INTEGER NOT NULL)");

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function page() {
  visits.prepare("INSERT INTO visits VALUES (?)").run(Date.now());
  const { count } = visits.prepare("SELECT count(*) AS count FROM visits").get();
  const names = guests.prepare("SELECT name FROM guests ORDER BY rowid").all();
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Guests</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <h1>Guests</h1>
    <ul>${names.map(({ name }) => `<li>${escape(name)}</li>`).join("")}</ul>
    <form method="post"><label>Name <input name="name" required /></label> <button>Sign</button></form>
    <p>Seen <output>${count}</output> times.</p>
  </body>
</html>`;
}

createServer(async (request, response) => {
  if (request.method === "POST") {
    let body = "";
    for await (const piece of request) body += piece;
    const name = new URLSearchParams(body).get("name") ?? "";
    guests.prepare("INSERT INTO guests VALUES (?)").run(name);
    return response.writeHead(303, { location: "/" }).end();
  }
  response.writeHead(200, { "content-type": "text/html" }).end(page());
}).listen(process.env.PORT ?? 3000);
