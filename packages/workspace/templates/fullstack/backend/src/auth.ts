import { createHash, randomBytes } from "node:crypto";
import { Hono, type Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { rows } from "./db.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { countWrong, mayTry } from "./tries.ts";

export interface User {
  id: string;
  email: string;
  name: string;
  role: "user" | "admin";
}
export type Signed = { Variables: { user: User } };

const COOKIE = "session";
const DAYS = 30;
/** Characters. */
const PASSWORD = { min: 10, max: 200 };
const isLong = ({ length }: string) => length >= PASSWORD.min && length <= PASSWORD.max;
const WRONG_LENGTH = `A password has ${PASSWORD.min} to ${PASSWORD.max} characters.`;
const TOO_MANY = "Too many tries. Wait a minute.";

const digest = (token: string) => createHash("sha256").update(token).digest("hex");

async function signIn(c: Context, user: User): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  await rows(
    "INSERT INTO sessions (token_hash, user_id, expires_at) VALUES ($1, $2, now() + make_interval(days => $3))",
    digest(token),
    user.id,
    DAYS,
  );
  const secure = c.req.header("x-forwarded-proto") === "https";
  setCookie(c, COOKIE, token, { httpOnly: true, sameSite: "Lax", path: "/", maxAge: DAYS * 86_400, secure });
}

/** Who is signed in, by the cookie. */
export async function userOf(c: Context): Promise<User | undefined> {
  const token = getCookie(c, COOKIE);
  if (token === undefined) return undefined;
  const [user] = await rows<User>(
    "SELECT u.id, u.email, u.name, u.role FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > now()",
    digest(token),
  );
  return user;
}

/** Closes what is routed after it to those who are not signed in, or have another role. */
export const requireUser = (role?: User["role"]) =>
  createMiddleware<Signed>(async (c, next) => {
    const user = await userOf(c);
    if (!user) return c.json({ error: "Sign in first." }, 401);
    if (role !== undefined && user.role !== role) return c.json({ error: "You may not do this." }, 403);
    c.set("user", user);
    await next();
  });

/** Changes come from pages of this app alone: a browser says where a request comes from. */
export const fromOwnPages = createMiddleware(async (c, next) => {
  const origin = c.req.header("origin");
  if (["GET", "HEAD", "OPTIONS"].includes(c.req.method) || origin === undefined) return next();
  if (URL.canParse(origin) && new URL(origin).host === c.req.header("host")) return next();
  return c.json({ error: "This has to come from a page of this app." }, 403);
});

/** Makes the administrator whom ADMIN_EMAIL and ADMIN_PASSWORD name, where there is nobody of that address. */
export async function seedAdmin(): Promise<void> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = process.env;
  if (!ADMIN_EMAIL || !ADMIN_PASSWORD) return;
  await rows(
    "INSERT INTO users (email, name, password, role) VALUES ($1, 'Administrator', $2, 'admin') ON CONFLICT (email) DO NOTHING",
    ADMIN_EMAIL.toLowerCase(),
    await hashPassword(ADMIN_PASSWORD),
  );
}

const field = (body: Record<string, unknown>, name: string) => {
  const value = body[name];
  return typeof value === "string" ? value.trim() : "";
};

/** Who tries a password: the address of a request, and the account. */
const triesOf = (c: Context, email: string) => `${c.req.header("x-forwarded-for") ?? ""} ${email}`;

export const auth = new Hono<Signed>();

auth.get("/me", async (c) => c.json({ user: (await userOf(c)) ?? null }));

auth.post("/register", async (c) => {
  const body = await c.req.json();
  const [email, name, password] = [field(body, "email").toLowerCase(), field(body, "name"), String(body.password ?? "")];
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return c.json({ error: "That is no e-mail address." }, 422);
  if (name === "") return c.json({ error: "Say your name." }, 422);
  if (!isLong(password)) return c.json({ error: WRONG_LENGTH }, 422);
  const [user] = await rows<User>(
    "INSERT INTO users (email, name, password) VALUES ($1, $2, $3) ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role",
    email,
    name,
    await hashPassword(password),
  );
  if (!user) return c.json({ error: "There is an account with this address." }, 409);
  await signIn(c, user);
  return c.json({ user }, 201);
});

auth.post("/sign-in", async (c) => {
  const body = await c.req.json();
  const email = field(body, "email").toLowerCase();
  const who = triesOf(c, email);
  if (!(await mayTry(who))) return c.json({ error: TOO_MANY }, 429);
  const [found] = await rows<User & { password: string }>(
    "SELECT id, email, name, role, password FROM users WHERE email = $1",
    email,
  );
  if (!(await isPassword(String(body.password ?? ""), found?.password)) || !found) {
    await countWrong(who);
    return c.json({ error: "The address or the password is wrong." }, 401);
  }
  const { password: _, ...user } = found;
  await signIn(c, user);
  return c.json({ user });
});

auth.post("/password", requireUser(), async (c) => {
  const { id, email } = c.get("user");
  const body = await c.req.json();
  const who = triesOf(c, email);
  if (!(await mayTry(who))) return c.json({ error: TOO_MANY }, 429);
  const [found] = await rows<{ password: string }>("SELECT password FROM users WHERE id = $1", id);
  if (!(await isPassword(String(body.current ?? ""), found?.password))) {
    await countWrong(who);
    return c.json({ error: "The present password is wrong." }, 422);
  }
  const password = String(body.password ?? "");
  if (!isLong(password)) return c.json({ error: WRONG_LENGTH }, 422);
  await rows("UPDATE users SET password = $1 WHERE id = $2", await hashPassword(password), id);
  // Whoever knew the old one is signed out.
  await rows(
    "DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2",
    id,
    digest(getCookie(c, COOKIE) ?? ""),
  );
  return c.json({ user: c.get("user") });
});

auth.post("/sign-out", async (c) => {
  const token = getCookie(c, COOKIE);
  if (token !== undefined) await rows("DELETE FROM sessions WHERE token_hash = $1", digest(token));
  deleteCookie(c, COOKIE, { path: "/" });
  return c.json({ user: null });
});
