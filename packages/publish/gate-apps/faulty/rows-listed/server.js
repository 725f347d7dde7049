import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const people = new Map();
const sessions = new Map();
const notes = new Map();
let last = 0;

const hash = (password, salt) => scryptSync(password, salt, 32, { N: 1024 });

async function bodyOf(request) {
  let text = "";
  for await (const piece of request)
    if ((text += piece).length > 100_000) throw new Error("too long");
  return JSON.parse(text || "{}");
}

const server = createServer(async (request, response) => {
  const { method } = request;
  const { pathname } = new URL(request.url, "http://notes");
  const say = (status, data, headers = {}) => {
    response.writeHead(status, {
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      ...headers,
    });
    response.end(JSON.stringify(data));
  };
  const signedIn = (person) => {
    const key = randomBytes(32).toString("base64url");
    sessions.set(key, person);
    say(200, { name: person.name }, { "set-cookie": `sid=${key}; HttpOnly; SameSite=Lax; Path=/` });
  };
  try {
    if (method === "GET" && pathname === "/") {
      response.writeHead(200, {
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
      });
      return response.end(
        `<!doctype html><html lang="en"><head><title>Notes</title></head><body><main><h1>Notes</h1></main></body></html>`,
      );
    }
    if (method === "POST" && pathname === "/api/register") {
      const { email, password } = await bodyOf(request);
      if (typeof email !== "string" || typeof password !== "string" || password.length < 10)
        return say(400, { error: "An address and a password of ten characters." });
      if (people.has(email)) return say(409, { error: "There is one already." });
      const salt = randomBytes(16);
      people.set(email, { name: email, salt, hash: hash(password, salt) });
      return signedIn(people.get(email));
    }
    if (method === "POST" && pathname === "/api/login") {
      const { email, password } = await bodyOf(request);
      const person = people.get(email);
      if (!person || !timingSafeEqual(person.hash, hash(String(password), person.salt)))
        return say(401, { error: "Wrong." });
      return signedIn(person);
    }
    const user = sessions.get(/sid=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1])?.name;
    if (!user) return say(401, { error: "Sign in first." });
    if (method === "GET" && pathname === "/api/notes") return say(200, [...notes.values()]);
    if (method === "POST" && pathname === "/api/notes") {
      const { text } = await bodyOf(request);
      if (typeof text !== "string" || text === "") return say(400, { error: "text is missing" });
      const note = { id: ++last, owner: user, text };
      notes.set(String(note.id), note);
      return say(201, note);
    }
    const [, id] = pathname.match(/^\/api\/notes\/([\w-]+)$/) ?? [];
    const note = notes.get(id);
    if (id === undefined || !note) return say(404, { error: "There is none." });
    if (method === "GET")
      return note.owner === user ? say(200, note) : say(404, { error: "There is none." });
    if (method === "PATCH") {
      if (note.owner !== user) return say(404, { error: "There is none." });
      const { text } = await bodyOf(request);
      note.text = String(text);
      return say(200, note);
    }
    if (method === "DELETE") {
      if (note.owner !== user) return say(404, { error: "There is none." });
      notes.delete(id);
      return say(200, {});
    }
    say(405, { error: "Not so." });
  } catch {
    say(400, { error: "That could not be read." });
  }
});

server.listen(process.env.PORT);
