import { html } from "hono/html";
import type { User } from "./session.ts";

type Content = ReturnType<typeof html>;

/** A whole page. Values in `html` are escaped. */
export const page = (user: User | undefined, content: Content) => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>App</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/style.css" />
    </head>
    <body>
      <header>
        <a href="/">App</a>
        ${user
          ? html`<span>${user.name}</span>
              <form method="post" action="/sign-out"><button>Sign out</button></form>`
          : html`<a href="/sign-in">Sign in</a> <a href="/sign-up">Make an account</a>`}
      </header>
      <main>${content}</main>
    </body>
  </html>`;

export const problem = (text: string | undefined) =>
  text === undefined ? "" : html`<p role="alert" class="problem">${text}</p>`;
