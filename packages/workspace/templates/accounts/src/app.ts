import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { accounts } from "./accounts.ts";
import { authOf } from "./auth.ts";
import { page } from "./layout.ts";
import { notePages } from "./note-pages.ts";
import { fromOwnPages } from "./request.ts";
import { findUser, requireUser, type Signed } from "./session.ts";
import { startPage } from "./start-page.ts";

export const app = new Hono<Signed>();

app.use(
  secureHeaders({
    // Without a referrer browsers would not say either where a form was sent from.
    referrerPolicy: "same-origin",
    strictTransportSecurity: "max-age=15552000",
  }),
);
app.use(serveStatic({ root: "./public" }));
app.use(bodyLimit({ maxSize: 100_000 }));
app.use(fromOwnPages);
app.use(findUser);

app.notFound((c) => c.html(page(c.get("user"), html`<h1>There is no such page</h1>`), 404));

app.onError((error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  console.error(error);
  return c.html(page(undefined, html`<h1>Something went wrong here</h1>`), 500);
});

// Open to everybody: these alone.
app.get("/", (c) => c.html(startPage(c.get("user"))));
app.on(["GET", "POST"], "/api/auth/*", (c) => authOf(c).handler(c.req.raw));
app.route("/", accounts);

// From here on a route is closed to those who are not signed in.
app.use(requireUser);
app.route("/", notePages as unknown as Hono<Signed>);
