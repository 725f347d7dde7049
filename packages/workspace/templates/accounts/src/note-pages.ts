import { Hono } from "hono";
import { html } from "hono/html";
import { page, problem } from "./layout.ts";
import { notesOf, type Note } from "./notes.ts";
import type { SignedIn, User } from "./session.ts";

/** Pages of notes, each its owner's. */
export const notePages = new Hono<SignedIn>();

const LONGEST = 2_000;
const TOO_LONG = `A note has 1 to ${LONGEST} characters.`;
const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");
const fits = (text: string) => text.length > 0 && text.length <= LONGEST;

const listPage = (user: User, notes: Note[], said?: string) =>
  page(
    user,
    html`
      <h1>Your notes</h1>
      ${problem(said)}
      <form method="post" action="/notes">
        <label>New note <textarea name="text" required maxlength="${LONGEST}"></textarea></label>
        <button>Keep it</button>
      </form>
      <ul>
        ${notes.map(({ id, text }) => html`<li><a href="/notes/${id}">${text}</a></li>`)}
      </ul>
    `,
  );

const notePage = (user: User, { id, text, createdAt }: Note, said?: string) =>
  page(
    user,
    html`
      <h1>Note</h1>
      ${problem(said)}
      <form method="post" action="/notes/${id}">
        <label>Text <textarea name="text" required maxlength="${LONGEST}">${text}</textarea></label>
        <button>Save it</button>
      </form>
      <form method="post" action="/notes/${id}/delete"><button>Delete it</button></form>
      <p><time datetime="${createdAt}">${createdAt.slice(0, 10)}</time> <a href="/notes">All notes</a></p>
    `,
  );

notePages.get("/notes", (c) => {
  const user = c.get("user");
  return c.html(listPage(user, notesOf(user).all()));
});

notePages.post("/notes", async (c) => {
  const user = c.get("user");
  const text = textOf((await c.req.parseBody())["text"]);
  if (!fits(text)) return c.html(listPage(user, notesOf(user).all(), TOO_LONG), 400);
  notesOf(user).add(text);
  return c.redirect("/notes", 303);
});

notePages.get("/notes/:id{[0-9]+}", (c) => {
  const user = c.get("user");
  const note = notesOf(user).get(Number(c.req.param("id")));
  return note ? c.html(notePage(user, note)) : c.notFound();
});

notePages.post("/notes/:id{[0-9]+}", async (c) => {
  const user = c.get("user");
  const id = Number(c.req.param("id"));
  const text = textOf((await c.req.parseBody())["text"]);
  const before = notesOf(user).get(id);
  if (!before) return c.notFound();
  if (!fits(text)) return c.html(notePage(user, before, TOO_LONG), 400);
  return notesOf(user).change(id, text) ? c.redirect("/notes", 303) : c.notFound();
});

notePages.post("/notes/:id{[0-9]+}/delete", (c) =>
  notesOf(c.get("user")).remove(Number(c.req.param("id"))) ? c.redirect("/notes", 303) : c.notFound(),
);
