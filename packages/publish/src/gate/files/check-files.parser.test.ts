import { describe, expect, it } from "vitest";
import { parse as checkFiles } from "./check-files.parser.ts";
import { isSerious } from "../gate-of.ts";
import { readEnvFile } from "./read-env-file.ts";
import {
  CLEAN,
  locked,
  lockFile,
  npmLock,
  randomText,
  release,
  SECRETS,
} from "../planted.test-support.ts";

const titles = async (parts: Parameters<typeof release>[0]) =>
  (await checkFiles(release(parts))).findings.map(
    ({ severity, title, where }) => `${severity} ${title} ${where}`,
  );

const OWN = "A secret of the app's own";
const HEX = "0123456789abcdef";
const [LINE, NEXT] = [randomText(64, 110), randomText(64, 111)];
/** Other places and spellings of secrets, each with its kind. */
const WRITTEN: Record<string, [kind: string, text: string]> = {
  "YAML, without quotes": [OWN, `jwt:\n  secret: ${randomText(40, 112)}\n`],
  "a file of settings": [OWN, `DEBUG=1\nexport SESSION_SECRET=${randomText(64, 113, HEX)}\r\n`],
  "a password that an object names": [OWN, `new Pool({ password: "${randomText(20, 114)}" })`],
  "a constant with its type": [OWN, `const SECRET: string = "${randomText(40, 115)}";`],
  "what stands in for a variable": [
    OWN,
    `const secret = process.env["KEY"] ?? "${randomText(40, 116)}";`,
  ],
  "what is encoded for a library": [
    OWN,
    `const secret = new TextEncoder().encode('${randomText(40, 117)}')`,
  ],
  "an account and its token on two lines": [
    OWN,
    `account_sid: AC${randomText(32, 118, HEX)}\nauth_token: ${randomText(32, 119, HEX)}\n`,
  ],
  "a private key in YAML": ["A private key", `key: |\n      ${pem("\n      ")}`],
  "a private key in JSON in JSON": ["A private key", JSON.stringify(JSON.stringify(pem("\n")))],
  "a private key that is put together": ["A private key", `const k = "${pem('\\n" +\n  "')}";`],
  "a database at an address": [
    "The password of a database",
    `postgres://shop:${randomText(16, 120)}@95.217.3.44:5432/shop`,
  ],
  "a database whose password is odd": [
    "The password of a database",
    `mysql://shop:p%40${randomText(6, 121)}$${randomText(6, 122)}@db.shop-data.com/shop`,
  ],
  "a mail server's address": [
    "A password in an address",
    `smtps://ada%40shop.com:${randomText(16, 123)}@smtp.shop-data.com:465`,
  ],
  "a key of S3 in a client's options": [
    "An AWS secret key",
    `new S3Client({ credentials: { accessKeyId, secretAccessKey: "${randomText(40, 124)}" } })`,
  ],
  "a key by what it is called": [
    "An API key",
    `const WEATHER_API_KEY = "${randomText(32, 126, HEX)}";`,
  ],
  "a key in a client's options": ["An API key", `new Client({ apiKey: "${randomText(40, 127)}" })`],
  "a key in a header": [
    "An API key",
    `fetch(u, { headers: { "x-api-key": "${randomText(40, 128)}" } })`,
  ],
  "a token in a header": [
    "An access token",
    `headers: { Authorization: "Bearer ${randomText(48, 129)}" }`,
  ],
  "a login in a header": [
    "A password",
    `headers: { Authorization: "Basic ${Buffer.from(`ada:${randomText(16, 130)}`).toString("base64")}" }`,
  ],
  "settings whose names have dots": [OWN, `spring.datasource.password=${randomText(24, 131)}\n`],
  "npm's login": [
    "An npm password",
    `//npm.shop-data.com/:_auth=${Buffer.from(`ada:${randomText(12, 125)}`).toString("base64")}`,
  ],
};
function pem(between: string): string {
  return ["-----BEGIN PRIVATE KEY-----", LINE, NEXT, "-----END PRIVATE KEY-----"].join(between);
}

describe("a secret in what is published", () => {
  it.each(Object.entries(SECRETS))(
    "%s is found in a source, with its line",
    async (kind, secret) => {
      const text = `const one = 1;\nconst key = \`${secret}\`;\n`;
      expect(await titles({ sources: [{ path: "server.js", text }] })).toEqual([
        `serious ${kind} is written in a file. server.js:2`,
      ]);
    },
  );

  it.each(Object.entries(SECRETS))("%s is found in a bundle alone", async (kind, secret) => {
    const text = `a();${"b();".repeat(20_000)}const k=${JSON.stringify(secret)};`;
    expect(await titles({ output: [{ path: "assets/index.js", text }] })).toEqual([
      `serious ${kind} is in what is published. assets/index.js:1`,
    ]);
  });

  it("is found if only secretlint knows its kind, reported once if both do, and ignored in a format example", async () => {
    const password = randomText(16, 60);
    const text = [
      `const a = "glpat-${randomText(20, 61)}";`,
      `const b = "lin_api_${randomText(40, 62)}";`,
      `git clone https://deploy:${password}@git.shop-data.com/shop.git`,
      `const c = "${SECRETS["A GitHub token"]}";`,
      "https://user:password@git.shop-data.com http://admin:s3cretish@localhost:8080 glpat-xxxxxxxxxxxxxxxxxxxx",
    ].join("\n");
    expect(await titles({ sources: [{ path: "a.js", text }] })).toEqual([
      "serious A GitHub token is written in a file. a.js:4",
      "serious A GitLab token is written in a file. a.js:1",
      "serious A Linear token is written in a file. a.js:2",
      "serious A password in an address is written in a file. a.js:3",
    ]);
  });

  it("is found by its value from .env and the settings, even without a known format", async () => {
    const value = randomText(24, 20);
    expect(
      await titles({
        output: [{ path: "a.js", text: `\n\nf("${value}")` }],
        own: [
          ...readEnvFile(`# mine\nexport MAIL_PASSWORD="${value}" # so\nVITE_MAPS_KEY=abc\n`),
          { name: "MAIL_TOKEN", value: "short" },
        ],
      }),
    ).toEqual(["serious The value of MAIL_PASSWORD is in what is published. a.js:3"]);
    // Spellings by a bundler, or by someone who hides it.
    const basic = Buffer.from(`ada:${value}`).toString("base64");
    expect(
      await titles({
        output: [{ path: "a.js", text: `fetch(u, { headers: { a: "Basic ${basic}" } })` }],
        own: [{ name: "MAIL_PASSWORD", value }],
      }),
    ).toEqual(["serious The value of MAIL_PASSWORD is in what is published. a.js:1"]);
  });

  it.each(Object.entries(WRITTEN))("is found in %s", async (_, [kind, text]) =>
    expect(await titles({ sources: [{ path: "a", text }] })).toEqual([
      expect.stringMatching(`^serious ${kind} is written in a file. a:\\d$`),
    ]),
  );

  it.each([
    [OWN, 'const token = jwt.sign({ id: user.id }, "supersecret", { expiresIn: "1h" });'],
    [OWN, 'app.use(session({ resave: false, secret: "keyboard cat" }));'],
    [OWN, 'app.secret_key = "tea-and-biscuits"'],
    [OWN, `SECRET_KEY = "django-insecure-k3)x!9@v#${randomText(30, 132)}&q7"`],
    [
      "A password",
      'createPool({ host: "db.shop-data.com", user: "shop", password: "Tr0ub4dor&3" })',
    ],
    ["A password", 'createTransport({ service: "gmail", auth: { user: "ada@gmail.com", pass: "abcd efgh ijkl mnop" } })'], // prettier-ignore
  ])(
    "%s is found where it is used in code, and not in a test or a document: %s",
    async (kind, text) => {
      expect(await titles({ sources: [{ path: "src/app.py", text }] })).toEqual([
        `serious ${kind} is written in a file. src/app.py:1`,
      ]);
      const shown = ["tests/app.js", "src/app.test.ts", "README.md", "docs/app.js"];
      expect(await titles({ sources: shown.map((path) => ({ path, text })) })).toEqual([]);
    },
  );

  it("does not include public keys for pages, or values from the environment", async () => {
    const key = randomText(32, 133, HEX);
    const text = [
      `docsearch({ appId: "TEA", apiKey: "${key}", indexName: "tea" });`,
      `posthog.init("phc_${randomText(40, 134)}", { api_key: "phc_${randomText(40, 134)}" });`,
      `${"\n".repeat(200)}const PUBLIC_API_KEY = "${key}"; const recaptchaSiteKey = "${key}";`,
      `${"\n".repeat(200)}const apiKeyPlaceholder = "paste-the-key-of-your-account-here";`,
      'jwt.sign({ id }, process.env.JWT_SECRET); session({ secret: process.env.SESSION_SECRET ?? "" });',
      'createPool({ host: "localhost", password: "Tr0ub4dor&3" }); createPool({ host: "db", password: "Tr0ub4dor&3" });',
      'createPool({ host: env.DB_HOST, password: env.DB_PASSWORD }); auth: { service: "gmail", pass: process.env.PASS }',
      "throw new Error('cookieParser(\"secret\") is required');",
      '// app.use(session({ secret: "keyboard cat" }))',
      'app.config["SECRET_KEY"] = os.environ["SECRET_KEY"]; headers: { Authorization: "Bearer your-token-goes-right-here" }',
      'headers: { Authorization: "Basic dXNlcjpwYXNzd29yZA==" }; jwt.verify(token, publicKey, { algorithms: ["RS256"] });',
    ].join("\n");
    expect(await titles({ sources: [{ path: "a.js", text }] })).toEqual([]);
  });

  it("does not include harmless values with similar names", async () => {
    const text = [
      `.form { composes: _password_${randomText(4, 70)}_12_login_secret }`,
      `const classes = { password: "Login_password__${randomText(5, 71)}", secret: "secret_1a2b3c4d5e6f7a8b" };`,
      "password: getMyPasswordFromVault2",
      `const password = t("auth.errors.password.TooShort1");`,
      "postgres://shop:${PASSWORD}@db.shop-data.com postgres://shop:$DB_PASS@db.shop-data.com",
      "postgres://shop:%s@db.shop-data.com postgres://shop:Xk2vPq9LmZ@203.0.113.9 redis://:Xk2vPq9LmZ@10.0.0.5",
      `process.env.STRIPE_SECRET_KEY = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"`,
      "git clone https://user:token@git.shop-data.com/a.git",
      "smtp://ada:Xk2vPq9LmZ@localhost:1025 smtps://user:password@mail.shop-data.com",
    ].join("\n");
    expect(await titles({ sources: [{ path: "a.js", text }] })).toEqual([]);
  });

  it("is never part of the report, even if a file is named like it", async () => {
    for (const secret of Object.values(SECRETS)) {
      const files = [{ path: `keys/${secret.trim()}.txt`, text: `x ${secret.trim()} y` }];
      const own = [{ name: "SECRET_KEY", value: secret.trim() }];
      const report = JSON.stringify(
        await checkFiles(release({ sources: files, output: files, own })),
      );
      const [, body = secret] = /-----\n(\w+)/.exec(secret) ?? [];
      expect(report).toContain("is written in a file");
      const password = /:([^:@]+)@/.exec(secret)?.[1];
      expect(report).not.toContain(password ?? body.trim());
    }
  });
});

describe("the packages of a lock file", () => {
  const found = (name: string, more: object) =>
    titles({ lockFile: lockFile(locked(name, more)), hasPackages: true });

  it.each([
    "GPL-3.0-only",
    "AGPL-3.0-or-later",
    "(GPL-2.0 OR AGPL-3.0)",
    "MIT AND GPL-3.0",
    "GPL",
    "GPLv3",
    "GPL v3",
    "AGPLv3+",
    "GNU GPLv3",
    "GNU General Public License v3.0",
    "GNU Affero General Public License",
    "CECILL-2.1",
  ])("under %s are reported", async (license) =>
    expect(await found("graph", { license })).toEqual([
      `serious A package is under ${license}, which asks for your sources too. package-lock.json: graph@1.0.0`,
    ]),
  );

  it("are reported if their licence is an object, as in old packages", async () =>
    expect(await found("graph", { license: { type: "AGPL-3.0", url: "x" } })).toHaveLength(1));

  it("that are fetched without encryption, lack a checksum or come from elsewhere are reported", async () => {
    expect(await found("far", { resolved: "http://files.far.com/far.tgz" })).toEqual([
      "serious A package is fetched from files.far.com without encryption. package-lock.json: far@1.0.0",
    ]);
    for (const url of [
      "git://files.far.com/far.git#abc",
      "git+http://files.far.com/far.git#abc",
      "HTTP://files.far.com/far.tgz",
    ])
      // prettier-ignore
      expect(await found("far", { resolved: url, integrity: undefined })).toEqual([
        "serious A package is fetched from files.far.com without encryption. package-lock.json: far@1.0.0",
      ]);
    expect(await found("open", { resolved: "http://registry.npmjs.org/open.tgz" })).toHaveLength(1);
    const openly = { resolved: "http://registry.npmjs.org/all.tgz" };
    const all = lockFile({ ...locked("react", openly), ...locked("all", openly) });
    expect(await titles({ lockFile: all, hasPackages: true })).toHaveLength(2);
    for (const integrity of [undefined, ""])
      expect(await found("loose", { integrity })).toEqual([
        "serious A package has no checksum in the lock file. package-lock.json: loose@1.0.0",
      ]);
    expect(await found("odd", { resolved: "https://files.far.com/odd.tgz" })).toEqual([
      "minor A package comes from files.far.com, unlike all others. package-lock.json: odd@1.0.0",
    ]);
  });

  it("that come under another name are reported, aliases of this project are not", async () => {
    const resolved = "https://registry.npmjs.org/@far/evil/-/evil-1.0.0.tgz";
    expect(await found("good", { resolved })).toEqual([
      "serious Another package is fetched in place of the named one. package-lock.json: good@1.0.0",
    ]);
    expect(await found("good", { resolved, name: "@far/evil" })).toEqual([]);
    const scoped = "https://registry.npmjs.org/@far%2fevil/-/evil-1.0.0.tgz";
    expect(await found("@far/evil", { resolved: scoped })).toEqual([]);
  });

  it("that list several licences are reported if each of them is copyleft", async () => {
    const list = (...types: string[]) => types.map((type) => ({ type, url: "x" }));
    expect(await found("old", { license: undefined, licenses: list("GPL-2.0", "MIT") })).toEqual(
      [],
    );
    expect(await found("old", { license: undefined, licenses: list("GPL-2.0") })).toHaveLength(1);
  });

  it("are reported by the registry's advisories, and a missing answer is reported", async () => {
    const lock = lockFile({
      ...locked("old"),
      ...locked("new", { version: "2.1.0" }),
      ...locked("slow"),
      ...locked("a-builder", { dev: true }),
      ...locked("forked", { resolved: "git+ssh://git@github.com/a/forked.git#abc" }),
    });
    const high = { title: "Runs what it reads", severity: "high", vulnerable_versions: "<2" };
    const advisories = {
      old: [high],
      new: [high],
      slow: [{ title: "Is slow", severity: "moderate", vulnerable_versions: "1.0.0 || 1.1.0" }],
      "a-builder": [high],
      forked: [high],
    };
    const parts = { lockFile: lock, hasPackages: true };
    expect(await titles({ ...parts, advisories })).toEqual([
      "serious Runs what it reads (high). package-lock.json: old@1.0.0",
      "minor A package comes from github.com, unlike all others. package-lock.json: forked@1.0.0",
      "minor Is slow (moderate). package-lock.json: slow@1.0.0",
    ]);
    for (const none of [undefined, "<html>", []]) {
      const { findings, unchecked } = await checkFiles(release({ ...parts, advisories: none }));
      expect(findings.filter(({ check }) => check === "advisories")).toEqual([]);
      expect(unchecked).toEqual([
        "Known advisories could not be checked: the package registry did not answer.",
      ]);
    }
    expect((await checkFiles(release({ hasPackages: true }))).unchecked).toHaveLength(1);
    expect(
      (await checkFiles(release({ hasPackages: true, lockFile: npmLock("{") }))).unchecked,
    ).toHaveLength(1);
  });
});

it.each(Object.entries(CLEAN))("reports nothing in %s", async (_, files) => {
  expect(await checkFiles(files)).toEqual({ findings: [], unchecked: [] });
});

it("lists serious findings first, each once, and no more than a person reads", async () => {
  const text = SECRETS["A GitHub token"]!;
  const sources = Array.from({ length: 50 }, (_, at) => ({ path: `${at}.js`, text }));
  const gate = await checkFiles(
    release({
      sources: [...sources, sources[0]!],
      lockFile: lockFile(locked("odd", { resolved: "https://files.far.com/odd.tgz" })),
      advisories: {},
    }),
  );
  expect(gate.findings).toHaveLength(31);
  expect(gate.findings.at(-1)!.severity).toBe("minor");
  expect(gate.unchecked).toEqual(["Only the first 30 findings about secrets are listed."]);
  expect(isSerious(gate)).toBe(true);
});

it("files designed to be slow do not block the server", async () => {
  const keys = Array.from({ length: 10_000 }, (_, at) => `ghp_${randomText(36, at + 100)}`);
  const files = [
    keys.join("\n"),
    "eyJ".repeat(250_000),
    "postgres://a:".repeat(50_000),
    "xoxb-123456".repeat(50_000),
    "-----BEGIN PRIVATE KEY-----\n".repeat(25_000),
    "sk-ant-a00-".repeat(50_000),
  ].map((text, at) => ({ path: `${at}.js`, text }));
  const deep = "(".repeat(25_000);
  const gate = await checkFiles(
    release({
      sources: files,
      output: files,
      own: readEnvFile(`${"\n".repeat(125_000)}${" ".repeat(125_000)}KEY=${"a b ".repeat(25_000)}`),
      lockFile: lockFile(locked("deep", { license: deep })),
      advisories: {},
    }),
  );
  expect(gate.findings.length).toBeLessThanOrEqual(30);
});

it("other requests are served while many files, or a large one, are searched", async () => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const sources = Array.from({ length: 30 }, (_, at) => ({ path: `${at}.js`, text: "let a = 1;" }));
  await titles({ sources });
  expect(turns).toBeGreaterThanOrEqual(30);
  turns = 0;
  await titles({ sources: [{ path: "large.js", text: "let a = 1;\n".repeat(20_000) }] });
  expect(turns).toBeGreaterThanOrEqual(30);
  isOver = true;
});
