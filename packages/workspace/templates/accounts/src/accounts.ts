import { Hono, type Context } from "hono";
import { html } from "hono/html";
import { askAuth, PASSWORD } from "./auth.ts";
import { page, problem } from "./layout.ts";
import { mailWay } from "./mail.ts";
import { nextPage, type Signed } from "./session.ts";

/** Making an account, signing in and out, and a new password by a link. */
export const accounts = new Hono<Signed>();

const SLOW_DOWN = "Too many tries. Wait a little and try again.";

async function fields(c: Context): Promise<Record<string, string>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

async function codeOf(answer: Response): Promise<string> {
  const { code = "" } = (await answer.json().catch(() => ({}))) as { code?: string };
  return code;
}

/** Signed in or out by what better-auth has answered, and on to another page. */
function withCookies(c: Context, answer: Response, to: string): Response {
  for (const cookie of answer.headers.getSetCookie()) c.header("set-cookie", cookie, { append: true });
  return c.redirect(to, 303);
}

const signUpForm = (email = "", name = "", said?: string) =>
  page(
    undefined,
    html`
      <h1>Make an account</h1>
      ${problem(said)}
      <form method="post" action="/sign-up">
        <label>Name <input name="name" value="${name}" autocomplete="name" required maxlength="100" /></label>
        <label>E-mail <input name="email" type="email" value="${email}" autocomplete="username" required /></label>
        <label>
          Password (${PASSWORD.min} characters or more)
          <input name="password" type="password" autocomplete="new-password" required minlength="${PASSWORD.min}" maxlength="${PASSWORD.max}" />
        </label>
        <button>Make the account</button>
      </form>
    `,
  );

const signInForm = (next: string, email = "", said?: string) =>
  page(
    undefined,
    html`
      <h1>Sign in</h1>
      ${problem(said)}
      <form method="post" action="/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <label>E-mail <input name="email" type="email" value="${email}" autocomplete="username" required /></label>
        <label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
        <button>Sign in</button>
      </form>
      <p><a href="/forgot">Forgot your password?</a></p>
    `,
  );

accounts.get("/sign-up", (c) => c.html(signUpForm()));

accounts.post("/sign-up", async (c) => {
  const { email = "", name = "", password = "" } = await fields(c);
  const answer = await askAuth(c, "/sign-up/email", { email, name, password });
  if (answer.ok) return withCookies(c, answer, "/notes");
  if (answer.status === 429) return c.html(signUpForm(email, name, SLOW_DOWN), 429);
  const code = await codeOf(answer);
  const said = code.startsWith("USER_ALREADY_EXISTS")
    ? "There is an account with this address. Sign in, or choose a new password."
    : code.startsWith("PASSWORD_TOO")
      ? `A password has ${PASSWORD.min} to ${PASSWORD.max} characters.`
      : "That did not work. Look at the name and the address.";
  return c.html(signUpForm(email, name, said), 400);
});

accounts.get("/sign-in", (c) => c.html(signInForm(nextPage(c.req.query("next")))));

accounts.post("/sign-in", async (c) => {
  const { email = "", password = "", next } = await fields(c);
  const answer = await askAuth(c, "/sign-in/email", { email, password });
  if (answer.ok) return withCookies(c, answer, nextPage(next));
  const isLate = answer.status === 429;
  const said = isLate ? SLOW_DOWN : "The address or the password is wrong.";
  return c.html(signInForm(nextPage(next), email, said), isLate ? 429 : 401);
});

accounts.post("/sign-out", async (c) => withCookies(c, await askAuth(c, "/sign-out"), "/"));

const NO_MAIL =
  "This app cannot send mail yet: SMTP_URL and MAIL_FROM have to be set. Ask whoever runs it.";

const forgotForm = (said?: string) =>
  page(
    undefined,
    html`
      <h1>Choose a new password</h1>
      ${problem(said)}
      ${mailWay === "none"
        ? html`<p>${NO_MAIL}</p>`
        : html`<form method="post" action="/forgot">
            <label>E-mail <input name="email" type="email" autocomplete="username" required /></label>
            <button>Send a link</button>
          </form>`}
    `,
  );

accounts.get("/forgot", (c) => c.html(forgotForm()));

accounts.post("/forgot", async (c) => {
  if (mailWay === "none") return c.html(forgotForm(), 503);
  const { email = "" } = await fields(c);
  const answer = await askAuth(c, "/request-password-reset", { email });
  if (answer.status === 429) return c.html(forgotForm(SLOW_DOWN), 429);
  // The same whether there is such an account or not.
  const said =
    mailWay === "mail"
      ? "If there is an account with that address, a link is on its way."
      : "If there is an account with that address, the link is in the server's log.";
  return c.html(page(undefined, html`<h1>Choose a new password</h1><p>${said}</p>`));
});

const resetForm = (token: string, said?: string) =>
  page(
    undefined,
    html`
      <h1>Choose a new password</h1>
      ${problem(said)}
      <form method="post" action="/reset">
        <input type="hidden" name="token" value="${token}" />
        <label>
          New password (${PASSWORD.min} characters or more)
          <input name="password" type="password" autocomplete="new-password" required minlength="${PASSWORD.min}" maxlength="${PASSWORD.max}" />
        </label>
        <button>Save it</button>
      </form>
    `,
  );

accounts.get("/reset", (c) => c.html(resetForm(c.req.query("token") ?? "")));

accounts.post("/reset", async (c) => {
  const { token = "", password = "" } = await fields(c);
  const answer = await askAuth(c, "/reset-password", { token, newPassword: password });
  if (answer.ok) return c.redirect("/sign-in", 303);
  if (answer.status === 429) return c.html(resetForm(token, SLOW_DOWN), 429);
  const said = (await codeOf(answer)).startsWith("PASSWORD_TOO")
    ? `A password has ${PASSWORD.min} to ${PASSWORD.max} characters.`
    : "This link has been used, or is too old. Ask for another.";
  return c.html(resetForm(token, said), 400);
});
