import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { api } from "./api.ts";

const app = new Hono();
const port = Number(process.env.PORT ?? 3000);

app.route("/api", api);
app.use(serveStatic({ root: "./public" }));

app.notFound((c) => c.json({ error: `There is no ${c.req.method} ${c.req.path}.` }, 404));

app.onError((error, c) => {
  if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
  console.error(error);
  return c.json({ error: "Something went wrong here." }, 500);
});

serve({ fetch: app.fetch, port }, () => console.log(`Listening on http://localhost:${port}`));
