import { describe, expect, it } from "vitest";
import { randomText } from "../planted.test-support.ts";
import { findWeakSecrets } from "./weak-secrets.ts";

const find = (text: string, path = "src/app.js", own: string[] = []) =>
  findWeakSecrets(
    [{ path, text }],
    own.map((name) => ({ name, value: randomText(24, 1) })),
  );
const titles = (...args: Parameters<typeof find>) => find(...args).map(({ title }) => title);
const instead = (name: string) =>
  `Where ${name} is not set, a text that stands in the sources is taken for it.`;

describe("a default for a missing setting", () => {
  it.each([
    ["ADMIN_PASSWORD", 'const pass = process.env.ADMIN_PASSWORD || "admin";'],
    ["JWT_SECRET", "const key = new TextEncoder().encode(process.env.JWT_SECRET ?? 'secret');"],
    ["SESSION_SECRET", "session({ secret: process.env['SESSION_SECRET'] || 'keyboard cat' })"],
    ["JWT_SECRET", 'sign: Bun.env.JWT_SECRET ?? "dev-secret-change-me"'],
    ["JWT_SECRET", 'Deno.env.get("JWT_SECRET") || "change-me"'],
    ["ADMIN_TOKEN", "const { PORT = 3000, ADMIN_TOKEN = 'letmein' } = process.env;"],
    ["JWT_SECRET", 'z.object({ JWT_SECRET: z.string().min(8).default("super-secret") })'],
    ["SECRET_KEY", 'app.secret_key = os.environ.get("SECRET_KEY", "dev")'],
    ["SECRET_KEY", 'SECRET_KEY = os.getenv("SECRET_KEY") or "change-me-in-production"'],
    ["ADMIN_PASSWORD", 'config("ADMIN_PASSWORD", default="admin123")'],
  ])("is reported by its name: %s in %s", (name, text) => {
    const path = /os\.|config\(/.test(text) ? "app.py" : "src/app.js";
    expect(titles(text, path)).toEqual([instead(name)]);
    // The value of the setting is used instead.
    expect(titles(text, path, [name])).toEqual([]);
    expect(titles(text, "tests/app.js")).toEqual([]);
  });

  it("gives advice, and does not repeat the text", () => {
    const [one] = find("\n\nconst s = process.env.JWT_SECRET || 'tea-and-biscuits'");
    expect(one).toMatchObject({ check: "secrets", severity: "serious", where: "src/app.js:3" });
    expect(one?.todo).toContain("JWT_SECRET");
    expect(JSON.stringify(one)).not.toContain("biscuits");
  });

  it.each([
    "const s = process.env.JWT_SECRET || crypto.randomBytes(32).toString('hex');",
    "const s = process.env.JWT_SECRET || ''; const p = process.env.ADMIN_PASSWORD ?? null;",
    "const s = process.env.JWT_SECRET || (isProd ? fail() : 'dev');",
    "const s = process.env.JWT_SECRET || 'dev';\nif (process.env.NODE_ENV === 'production' && s === 'dev') throw new Error('Set JWT_SECRET');",
    "if (!process.env.JWT_SECRET && process.env.NODE_ENV === 'production') { console.error('JWT_SECRET'); process.exit(1); }\nconst s = process.env.JWT_SECRET || 'dev';",
    "const pool = { password: process.env.DB_PASSWORD || 'postgres', pass: process.env.SMTP_PASSWORD || 'test' };",
    "const key = process.env.NASA_API_KEY || 'DEMO_KEY'; const id = process.env.GOOGLE_CLIENT_SECRET || 'none';",
    "const stripe = new Stripe(process.env.STRIPE_SECRET_KEY || 'sk_test_123');",
    "const name = process.env.SESSION_NAME || 'sid'; const user = process.env.ADMIN_USER || 'admin';",
    "const mail = process.env.ADMIN_EMAIL || 'admin@shop.com'; const salt = process.env.PUBLIC_TOKEN_ADDRESS || '0xabc';",
    "// const s = process.env.JWT_SECRET || 'dev'",
    "const jwtExpires = process.env.JWT_EXPIRES_IN || '7d'; const cookie = process.env.COOKIE_NAME ?? 'session';",
  ])("is not reported if it protects nothing: %s", (text) => expect(titles(text)).toEqual([]));
});

describe("a hard-coded password or secret", () => {
  const [password, secret] = ["A password", "A secret of the app's own"].map(
    (what) => `${what} is written in a file.`,
  ) as [string, string];
  it.each([
    [secret, 'const JWT_SECRET = "my-super-secret-key";'],
    [secret, "app.keys = ['some secret hurr']"],
    [secret, "fastify.register(fastifyJwt, { secret: 'supersecret' })"],
    [secret, "app.use('/api/*', jwt({ secret: 'it-is-very-secret' }))"],
    [password, "const ADMIN_PASSWORD = 'letmein';"],
    [password, "if (password === 'admin123') { req.session.isAdmin = true }"],
    [password, "if (e.target.password.value === 'letmein') setIsAdmin(true)"],
    [password, "if (username === 'admin' && password === 'hunter2') login()"],
    [password, "const users = [{ id: 1, username: 'admin', password: 'admin123', role: 'admin' }]"],
    [password, "db.run(`INSERT INTO users …`, ['admin', bcrypt.hashSync('admin', 10), 'admin'])"],
    [
      password,
      "const password = 'admin';\ndb.prepare('INSERT INTO users').run('admin', bcrypt.hashSync(password, 10))",
    ],
    [password, "app.use(basicAuth({ users: { boss: 'supersecret1' }, challenge: true }))"],
    [password, "basicAuth({ username: 'shop', password: 'owner123' })"],
  ])("%s %s", (title, text) => expect(titles(text)).toEqual([title]));
  it.each([
    [password, 'User.objects.create_superuser("admin", "admin@shop.org", "admin")'],
    [password, 'admin = User(name="admin", password_hash=generate_password_hash("admin123"))'],
    [password, 'if request.form["password"] == "letmein":'],
    [secret, 'SECRET_KEY = "dev-key"'],
  ])("of Python: %s %s", (title, text) => expect(titles(text, "app.py")).toEqual([title]));

  it.each([
    "<input type={show ? 'text' : 'password'} name=\"password\">; field.type === 'password'; key === 'password'",
    "if (errors.password === 'required') show(t.password); if (strength.password === 'weak') warn()",
    "const labels = { email: 'Admin e-mail', login: 'Admin', password: 'Password' }",
    "const messages = { role: 'admin', password: 'Enter your password' }",
    "bcrypt.compareSync(password, user ? user.hash : bcrypt.hashSync('dummy-admin', 10))",
    "const hash = bcrypt.hashSync(password, 10); users.push({ username: 'admin', password: hash })",
    "await signIn({ email: 'demo@shop.org', password: 'demo-demo' })",
    "const ADMIN_PASSWORD = process.env.ADMIN_PASSWORD; const JWT_SECRET = env('JWT_SECRET')",
    "const NAMES = { ADMIN_PASSWORD: 'ADMIN_PASSWORD' }; const passwordHint = 'eight letters'",
    "if (pin === 'off' || pass === 'never') return; if (options.password === 'auto') make()",
    "if (password !== 'undefined' && pass === undefined) check()",
    "const SESSION_SECRET_NAME = 'session-secret'; const rootPasswordField = 'root-password'",
  ])("nothing else is taken for one: %s", (text) => expect(titles(text)).toEqual([]));
});

it("no text blocks the server", () => {
  const texts = ["process.env.", "password: '", "users: { ", "username: 'admin' ", "{ ADMIN_TOKEN = 'a', ", "basicAuth({ ", "jwt({ "]; // prettier-ignore
  const before = performance.now();
  for (const text of texts) find(text.repeat(20_000));
  expect(performance.now() - before).toBeLessThan(10_000);
});
