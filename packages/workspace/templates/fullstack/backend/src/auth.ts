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
const PASSWORD = { min: 8, max: 200 };

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

export const auth = new Hono();

auth.get("/me", async (c) => c.json({ user: (await userOf(c)) ?? null }));

auth.post("/register", async (c) => {
  const body = await c.req.json();
  const { min, max } = PASSWORD;
  const [email, name, password] = [field(body, "email").toLowerCase(), field(body, "name"), String(body.password ?? "")];
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return c.json({ error: "That is no e-mail address." }, 422);
  if (name === "") return c.json({ error: "Say your name." }, 422);
  if (password.length < min || password.length > max)
    return c.json({ error: `A password has ${min} to ${max} characters.` }, 422);
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
  const who = `${c.req.header("x-forwarded-for") ?? ""} ${email}`;
  if (!mayTry(who)) return c.json({ error: "Too many tries. Wait a minute." }, 429);
  const [found] = await rows<User & { password: string }>(
    "SELECT id, email, name, role, password FROM users WHERE email = $1",
    email,
  );
  if (!(await isPassword(String(body.password ?? ""), found?.password)) || !found) {
    countWrong(who);
    return c.json({ error: "The address or the password is wrong." }, 401);
  }
  const { password: _, ...user } = found;
  await signIn(c, user);
  return c.json({ user });
});

auth.post("/sign-out", async (c) => {
  const token = getCookie(c, COOKIE);
  if (token !== undefined) await rows("DELETE FROM sessions WHERE token_hash = $1", digest(token));
  deleteCookie(c, COOKIE, { path: "/" });
  return c.json({ user: null });
});
