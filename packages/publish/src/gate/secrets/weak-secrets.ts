import { sentence, type Sentence } from "@treadle/protocol/sentences";
import { finding } from "../finding.ts";
import { DO_WITH_WRITTEN, isRemark } from "./secret-rules.ts";
import type { Found, GateFile, NamedValue } from "../types.ts";

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|rb|go|php|java|kt)$/i;
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|specs?|fixtures|mocks?|docs|examples?|stories|node_modules)\/|(?:^|\/)(?:test_[^/]*|conftest\.py)$|[._](?:test|spec|stories|config)\.\w+$/i;
const MOST_READ = 300_000;
const MOST_OF_FILE = 5;
/** Number of characters around a match in which its purpose is searched. */
const NEAR = 300;

/**
 * Keys for an app's own cookies and tokens, and operator passwords. Defaults for other credentials
 * (a database, a mail server, a provider) grant no access to this app.
 */
const SIGNS =
  "(?:JWT|SESSIONS?|COOKIES?|(?:NEXT|BETTER_?)?AUTH|APP|(?:ACCESS|REFRESH|AUTH)?_?TOKEN|CSRF|HMAC|SIGNING|SIGNATURE|ENCRYPTION|SERVER|FLASK|DJANGO|PAYLOAD|NUXT_SESSION)";
const LETS_IN =
  "(?:(?:DEFAULT|INITIAL|SEED)_?)?(?:ADMIN(?:ISTRATOR)?|OWNER|ROOT|STAFF|SUPER_?USER|MANAGER|MODERATOR|DASHBOARD|PANEL|BACKEND|BASIC_?AUTH|SITE)";
const NAME =
  `(?:${SIGNS}_?(?:SECRET(?:_?KEY)?|(?:PRIVATE_?)?KEY|SALT)|SECRET(?:_?KEY)?|` +
  `${LETS_IN}_?(?:USER_?)?(?:PASS(?:WORD|WD|PHRASE|CODE)?|PIN|TOKEN|SECRET|(?:API_?)?KEY)|(?:APP_?|LOGIN_?|AUTH_?)?PASS(?:WORD|CODE|PHRASE))`;
const TEXT = "[\"'`](?<value>[^\"'`\\n$]{2,120})[\"'`]";

/** Forms of a default for a missing setting. */
const DEFAULTS = [
  // `process.env.NAME || "…"`, `Deno.env.get("NAME") ?? "…"`, `os.environ.get("NAME") or "…"`, `os.getenv("NAME", "…")`
  `\\b(?:env(?:iron)?(?:\\??\\.|\\.(?:get|fetch)\\(|\\[|\\()|(?:get_?env|config)\\()\\s{0,4}["'\`]?(?<name>${NAME})["'\`]?\\s{0,4}[)\\]]{0,2}!?\\s{0,10}(?:\\|\\||\\?\\?|\\bor\\b|,(?:\\s{0,4}default\\s{0,4}=)?|\\.unwrap_or\\()\\s{0,10}${TEXT}`,
  // `NAME: z.string().min(8).default("…")`
  `\\b(?<name>${NAME})\\s{0,4}:\\s{0,4}(?:z|v|t|str|Joi|yup|env)\\b[^;\\n]{0,120}?\\bdefault(?:Value)?(?:\\(|:)\\s{0,4}${TEXT}`,
  // `const { NAME = "…" } = process.env`
  `[{,]\\s{0,100}(?<name>${NAME})\\s{0,4}=\\s{0,4}${TEXT}(?=[^{};]{0,500}\\}\\s{0,4}=\\s{0,4}(?:process|Bun|import\\.meta)\\.env\\b)`,
].map((shape) => new RegExp(shape, "gi"));

interface Written {
  what: "A password" | "A secret of the app's own";
  shape: RegExp;
  counts?(near: string): boolean;
}

const IS_ADMIN = /\badmin|\broot\b|\bowner\b|superuser|is_?staff/i;
const WHO_RUNS_IT = `["'\`](?:admin(?:istrator)?|root|owner|superuser|admin@[^"'\`\\s]{1,60})["'\`]`;
const WHO = `\\b(?:user(?:_?name)?|login|e?-?mail|name|role|id)["']?\\s{0,4}[:=]\\s{0,4}${WHO_RUNS_IT}`;
const ITS_PASSWORD = `\\bpass(?:word|wd|code)?["']?\\s{0,4}[:=]\\s{0,4}${TEXT}`;

/** Forms in which a secret or password is written literally and always used. */
const WRITTEN: readonly Written[] = [
  {
    what: "A secret of the app's own",
    shape: new RegExp(
      `^[ \\t]{0,20}(?:export\\s{1,4})?(?:(?:const|let|var|final)\\s{1,4}|\\w{1,40}\\.|self\\.)?(?:${SIGNS}_?SECRET(?:_?KEY)?|SECRET_KEY)\\s{0,4}(?::\\s{0,4}\\w{1,20}\\s{0,4})?=\\s{0,4}${TEXT}`,
      "gim",
    ),
  },
  {
    // A signing key passed to a framework.
    what: "A secret of the app's own",
    shape: new RegExp(
      `(?:\\b(?:app|server|koa)\\.keys\\s{0,4}=\\s{0,4}\\[|\\bcookie_?session\\(\\s{0,10}\\{[^{}]{0,200}?\\bkeys\\s{0,4}:\\s{0,4}\\[|\\bregister\\(\\s{0,10}\\w{0,20}(?:jwt|session|cookie)\\w{0,20}\\s{0,4},\\s{0,10}\\{[^{}]{0,200}?\\bsecret\\s{0,4}:|\\bjwt\\(\\s{0,10}\\{[^{}]{0,100}?\\bsecret\\s{0,4}:)\\s{0,10}${TEXT}`,
      "gi",
    ),
  },
  {
    what: "A password",
    shape: new RegExp(
      `^[ \\t]{0,20}(?:export\\s{1,4})?(?:(?:const|let|var|final)\\s{1,4})?${LETS_IN}_?(?:USER_?)?PASS(?:WORD|WD|PHRASE|CODE)?\\s{0,4}(?::\\s{0,4}\\w{1,20}\\s{0,4})?=\\s{0,4}${TEXT}`,
      "gim",
    ),
  },
  {
    what: "A password",
    shape: new RegExp(
      `\\bbasic_?auth\\w{0,20}\\(\\s{0,10}\\{[^{}]{0,200}?(?:${ITS_PASSWORD}|\\busers\\s{0,4}:\\s{0,4}\\{\\s{0,20}["']?[\\w.@-]{1,60}["']?\\s{0,4}:\\s{0,4}${TEXT.replace("value", "other")})`,
      "gi",
    ),
  },
  { what: "A password", shape: new RegExp(`${WHO}[^{}()]{0,200}?${ITS_PASSWORD}`, "gi") },
  { what: "A password", shape: new RegExp(`${ITS_PASSWORD}[^{}()]{0,200}?${WHO}`, "gi") },
  {
    // A literal password that is hashed, for the operator.
    what: "A password",
    shape: new RegExp(
      `\\b(?:(?:bcrypt(?:js)?|argon2|pwd_context|ph|hasher)\\.hash(?:Sync|pw)?|hash_?password|password_?hash|generate_password_hash|make_password|set_password)\\(\\s{0,10}b?${TEXT}`,
      "gi",
    ),
    counts: (near) => IS_ADMIN.test(near),
  },
  {
    // A password beside the operator's name, one line above.
    what: "A password",
    shape: new RegExp(`^[ \\t]{0,20}(?:(?:const|let|var)\\s{1,4})?(?:pass(?:word|wd)?|pw|pwd)\\s{0,4}=\\s{0,4}${TEXT}[;)]?[ \\t]{0,4}\\r?$`, "gim"), // prettier-ignore
    counts: (near) => IS_ADMIN.test(near) && /hash|\binsert\b|create|scrypt|argon/i.test(near),
  },
  {
    what: "A password",
    shape: new RegExp(`\\bcreate_superuser\\([^()]{0,200}?,\\s{0,10}(?:password\\s{0,4}=\\s{0,4})?${TEXT}\\s{0,10}\\)`, "g"), // prettier-ignore
  },
  {
    // Input that is compared with a literal.
    what: "A password",
    shape: new RegExp(
      `(?<!\\b(?:errors?|strength|touched|types?|messages?|labels?)\\??\\.)\\b(?:\\w{0,20}(?:password|passcode)|pass|pwd|pin)(?:\\??\\.value|\\.current|Input)?(?:\\.trim\\(\\))?["']?\\]?\\s{0,4}(?<!!)={2,3}\\s{0,4}${TEXT}`,
      "gi",
    ),
  },
];

/** A state, a type, a label or a reference: not a password. */
const NONE =
  /^(?:required|weak|medium|strong|good|fair|hidden|visible|show|hide|text|string|number|boolean|object|function|password|undefined|null|none|true|false|on|off|yes|no|always|never|auto|manual|invalid|empty|missing|disabled|enabled|changed?|reset|[A-Z]+(?:_[A-Z]+)+)$/;
/** A dummy hash that equalises the time for unknown users. */
const FOR_NOBODY = /dummy|invalid|timing|fake|nobody|not[- ]?a[- ]?real/i;
/** The default is refused in production: `if (NODE_ENV === "production") throw …`. */
const REFUSED =
  /\b(?:NODE_ENV|production|is_?prod|FLASK_ENV|DEBUG)\b[^]{0,200}?\b(?:throw|raise|exit|abort|panic)\b|\b(?:is_?dev|development)\b\s{0,4}(?:\?|&&)/i;
/** A word of a label. */
const LABEL = /\s|^[A-Z][a-z]{2,20}$|[:…*]$/;

/**
 * Finds passwords and secrets that are in the sources and in use: as the default of a missing
 * setting, or always. They have no format and are recognised by their purpose.
 * @param own values of the project's settings and `.env`, which replace defaults
 */
export function findWeakSecrets(files: readonly GateFile[], own: readonly NamedValue[]): Found[] {
  const isSet = new Set(own.filter(({ value }) => value !== "").map(({ name }) => name));
  return files
    .filter(({ path }) => CODE.test(path) && !NO_APP.test(path))
    .flatMap((file) => weakIn(file, isSet));
}

function weakIn({ path, text: source }: GateFile, isSet: ReadonlySet<string>): Found[] {
  const text = source.slice(0, MOST_READ);
  const found = new Map<number, Found>();
  const report = (index: number, title: string | Sentence, todo: string | Sentence) => {
    const line = text.slice(0, index).split("\n").length;
    if (found.size < MOST_OF_FILE && !found.has(line))
      found.set(
        line,
        finding({
          check: "secrets",
          severity: "serious",
          title,
          where: `${path}:${line}`,
          todo,
        }),
      );
  };
  for (const shape of DEFAULTS)
    for (const { index, groups } of text.matchAll(shape)) {
      const { name = "", value = "" } = groups!;
      if (isSet.has(name) || NONE.test(value) || value === name || isRemark(text, index)) continue;
      if (REFUSED.test(text.slice(Math.max(0, index - NEAR), index + 2 * NEAR))) continue;
      report(index, sentence("gate-default", { name }), sentence("gate-do-default", { name }));
    }
  for (const { what, shape, counts } of WRITTEN)
    for (const { 0: all, index, groups } of text.matchAll(shape)) {
      const value = groups!["value"] ?? groups!["other"] ?? "";
      const at = index + all.lastIndexOf(value);
      // Example secrets of frameworks are phrases.
      const none = what === "A password" ? [NONE, FOR_NOBODY, LABEL] : [NONE];
      if (none.some((shape) => shape.test(value)) || isRemark(text, at)) continue;
      if (counts?.(text.slice(Math.max(0, index - NEAR), index + NEAR)) === false) continue;
      report(at, sentence("gate-secret-source", { what }), DO_WITH_WRITTEN);
    }
  return [...found.values()];
}
