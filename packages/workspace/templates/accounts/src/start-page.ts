import { html } from "hono/html";
import { page } from "./layout.ts";
import type { User } from "./session.ts";

export const startPage = (user: User | undefined) =>
  page(
    user,
    html`
      <h1>Hello</h1>
      ${user
        ? html`<p><a href="/notes">Your notes</a></p>`
        : html`<p>Notes that only you can read. This page is <code>src/start-page.ts</code>.</p>`}
    `,
  );
