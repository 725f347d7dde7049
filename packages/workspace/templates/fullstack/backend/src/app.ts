import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { auth, fromOwnPages } from "./auth.ts";

const PAGES = "../frontend/dist";

export const app = new Hono();

app.use(bodyLimit({ maxSize: 1_000_000 }));
app.use(fromOwnPages);

app.route("/api/auth", auth);
// Open to everybody: app.get("/api/things", …)
// For people who are signed in: app.use("/api/notes/*", requireUser()), for administrators requireUser("admin").

app.all("/api/*", (c) => c.json({ error: `There is no ${c.req.method} ${c.req.path}.` }, 404));

// What a build wrote, where there is one: in development Vite serves the page.
app.use(serveStatic({ root: PAGES }));
app.get("*", serveStatic({ path: `${PAGES}/index.html` }));

app.onError((error, c) => {
  if (error instanceof SyntaxError) return c.json({ error: "That is no JSON." }, 400);
  console.error(error);
  return c.json({ error: "Something went wrong here." }, 500);
});
