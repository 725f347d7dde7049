import { isIPv4 } from "node:net";
import { isPublicAddress } from "@treadle/egress/public-address";
import { sentence } from "@treadle/protocol/sentences";

/** Advice for a secret in the sources. */
export const DO_WITH_WRITTEN = sentence("gate-do-source");

/** One kind of secret, by its format. */
export interface SecretRule {
  /** The display name of the kind, for a sentence: “… is written in a file”. */
  kind: string;
  /** A global pattern. The secret is its group `value`, if there is one, or else the whole match. */
  shape: RegExp;
  /**
   * Whether only executed code is searched, because tests and documents contain harmless examples.
   */
  isOfCode?: true;
  /** Whether a match is really a secret. */
  counts?(match: RegExpExecArray, text: string): boolean;
}

/** The claims of a JWT, or undefined if they cannot be parsed. */
function claimsOf(token: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"),
    );
    return typeof claims === "object" && claims !== null
      ? (claims as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Firebase and Maps keys are public; their permissions are configured with Google. */
const PUBLIC_GOOGLE = /authDomain|firebaseapp\.com|maps\.googleapis\.com|maps\/api\/js/i;
/** Placeholder passwords of examples and local development databases. */
const NO_PASSWORD =
  /^(?:postgres|root|admin|user|pass|passwd|password|passw0rd|secret|token|test|example|guest|dev|\d{1,4}|\*+|x+|\.+)$/i;
/**
 * Placeholders that are replaced later: `${PASSWORD}`, `$PASSWORD`, `<password>`, `%s`. `%40` is an
 * escaped character.
 */
const TEMPLATE = /[<>{}[\]]|\*\*|^\$|\$\(|%(?![0-9a-f]{2})/i;

export const isNoPassword = (value: string) => NO_PASSWORD.test(value) || TEMPLATE.test(value);

/**
 * Whether the host is local: a name without a dot, or an address in a private or documentation
 * range.
 */
export const isLocal = (host: string) =>
  isIPv4(host)
    ? !isPublicAddress(host)
    : !/\.[a-z]/i.test(host) || /(?:^|\.)example\.|\.local$/i.test(host);

/** Providers use such names for public keys as well; the context decides. */
const PUBLIC_KEY =
  /firebase|authDomain|algolia|docsearch|indexName|posthog|mapbox|analytics|amplitude|segment|mixpanel|sentry|captcha|turnstile|search[-_]?only|write_?key/i;
const PUBLIC_NAME = /public|anon|publishable|site[-_]?key/i;
const PUBLIC_VALUE = /^(?:pk[_.]|phc_|eyJ|AIza|sb_publishable_|ca-pub-)/;

/** The password of `Basic YWRhOnNlY3JldA==`. */
const passwordOf = (basic: string) =>
  /^[^:\n]{1,100}:([ -~]{6,200})$/.exec(Buffer.from(basic, "base64").toString("utf8"))?.[1];

/** Whether a position is within a comment, judged by its line. */
export function isRemark(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 200), index);
  return /^\s{0,200}[*#]|(?<!:)\/\/|<!--/.test(before.slice(before.lastIndexOf("\n") + 1));
}

const QUOTE = "\\\\?[\"'`]";
const CALLED_SECRET =
  "\\b\\w{0,40}(?:secret(?:_?key)?|pass(?:word|wd|phrase)?|auth_?token|(?:encryption|signing|private)_?key)";

/**
 * The formats that are searched. Values that providers issue as public (`pk_live_`, an anon key)
 * are not included.
 */
export const SECRET_RULES: readonly SecretRule[] = [
  { kind: "An Anthropic key", shape: /\bsk-ant-[a-z]+\d\d-[\w-]{32,200}/g },
  { kind: "An OpenRouter key", shape: /\bsk-or-v1-[0-9a-f]{64}\b/g },
  {
    kind: "An OpenAI key",
    shape: /\bsk-(?:(?:proj|svcacct|admin)-[\w-]{40,250}|[A-Za-z0-9]{48}\b)/g,
  },
  { kind: "An AWS access key", shape: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  {
    kind: "An AWS secret key",
    shape:
      /(?:aws_?secret_?|secret_?access_?)(?:access_?)?key["']?\s{0,4}[:=]\s{0,4}["']?(?<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  { kind: "A GitHub token", shape: /\b(?:gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_\w{60,200})\b/g },
  {
    kind: "A Stripe secret key",
    shape: /\b(?:[sr]k_live_[A-Za-z0-9]{16,200}|whsec_[A-Za-z0-9]{32,100})\b/g,
  },
  {
    kind: "A Google key",
    shape: /\bAIza[\w-]{35}(?![\w-])/g,
    counts: ({ index }, text) =>
      !PUBLIC_GOOGLE.test(text.slice(Math.max(0, index - 400), index + 400)),
  },
  { kind: "A Google client secret", shape: /\bGOCSPX-[\w-]{28}(?![\w-])/g },
  {
    kind: "A Slack token",
    shape:
      /\bxox[abeoprs]-(?:\d-)?[A-Za-z0-9]{6,}-[\w-]{10,200}|hooks\.slack\.com\/services\/T\w{6,12}\/B\w{6,12}\/\w{20,30}/g,
  },
  {
    kind: "A Supabase service key",
    shape: /\beyJ[\w-]{10,300}\.eyJ[\w-]{10,1000}\.[\w-]{20,200}/g,
    counts: ([token]) => claimsOf(token)?.["role"] === "service_role",
  },
  { kind: "A Supabase secret key", shape: /\bsb_secret_[\w-]{20,100}/g },
  {
    kind: "A private key",
    // Code of a library only contains the first line. The lines may be separated by string syntax,
    // escaped JSON or YAML indentation.
    shape:
      /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY(?: BLOCK)?-----(?:\\{1,4}[rn]|[\s"'`+,]){1,60}(?<value>[A-Za-z0-9+/=]{24}[A-Za-z0-9+/=\s\\]{20,8000})/g,
  },
  {
    kind: "The password of a database",
    shape:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?):\/\/[^\s:@/"'`<>]{0,100}:(?<value>[^\s@/"'`]{3,200})@(?<host>[\w.-]{1,200})/g,
    counts: ({ groups }) => !isNoPassword(groups!["value"]!) && !isLocal(groups!["host"]!),
  },
  {
    kind: "A password in an address",
    shape:
      /\b(?:smtps?|imaps?|s?ftps?|ldaps?|mqtts?|nats|clickhouse):\/\/[^\s:@/"'`<>]{0,100}:(?<value>[^\s@/"'`]{3,200})@(?<host>[\w.-]{1,200})/g,
    counts: ({ groups }) => !isNoPassword(groups!["value"]!) && !isLocal(groups!["host"]!),
  },
  { kind: "An npm token", shape: /\bnpm_[A-Za-z0-9]{36}\b/g },
  {
    kind: "An npm password",
    shape: /:_(?:auth|password)\s?=\s?"?(?<value>[A-Za-z0-9+/]{12,300}={0,2})/g,
  },
  { kind: "A SendGrid key", shape: /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g },
  { kind: "A Hugging Face token", shape: /\bhf_[A-Za-z0-9]{34}\b/g },
  { kind: "A Groq key", shape: /\bgsk_[A-Za-z0-9]{52}\b/g },
  { kind: "An xAI key", shape: /\bxai-[A-Za-z0-9]{80}\b/g },
  // DashScope and Moonshot use the same format.
  { kind: "A DeepSeek key", shape: /\bsk-[0-9a-f]{32}\b/g },
  { kind: "A Replicate token", shape: /\br8_[A-Za-z0-9]{37}\b/g },
  { kind: "A Perplexity key", shape: /\bpplx-[A-Za-z0-9]{48}\b/g },
  { kind: "An ElevenLabs key", shape: /\bsk_[0-9a-f]{48}\b/g },
  { kind: "A Pinecone key", shape: /\bpcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,80}\b/g },
  { kind: "A Resend key", shape: /\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b/g },
  { kind: "A Mailgun key", shape: /\bkey-[0-9a-f]{32}\b/g },
  { kind: "A Brevo key", shape: /\bxkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}\b/g },
  { kind: "A Discord bot's token", shape: /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g },
  {
    kind: "A Discord webhook",
    shape: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/(?<value>[\w-]{60,80})/g,
  },
  { kind: "A Mapbox secret token", shape: /\bsk\.eyJ[\w-]{20,200}\.[\w-]{20,30}(?![\w-])/g },
  { kind: "A DigitalOcean token", shape: /\bdo[opr]_v1_[0-9a-f]{64}\b/g },
  {
    kind: "An Azure storage key",
    shape: /\bAccountKey=(?<value>[A-Za-z0-9+/]{86}==)/g,
  },
  { kind: "An Azure access key", shape: /\bSharedAccessKey=(?<value>[A-Za-z0-9+/]{43}=)/g },
  { kind: "An Azure client secret", shape: /\b[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/g },
  {
    kind: "A Twilio token",
    // An account's name followed by its token.
    shape: /\bAC[0-9a-f]{32}\b[^0-9a-f\n][^\n]{0,40}?["'=:\s](?<value>[0-9a-f]{32})\b/g,
  },
  { kind: "A Sentry token", shape: /\bsntry(?:s_[\w+/=-]{40,400}|u_[0-9a-f]{64}\b)/g },
  { kind: "A PlanetScale password", shape: /\bpscale_(?:tkn|oauth|pw)_[\w.-]{32,64}(?![\w.-])/g },
  { kind: "A Neon key", shape: /\bnapi_[a-z0-9]{64}\b/g },
  { kind: "An Airtable token", shape: /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/g },
  {
    kind: "A Doppler token",
    shape: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}\b/g,
  },
  { kind: "A Tavily key", shape: /\btvly-(?:dev-|prod-)?[A-Za-z0-9]{32}\b/g },
  { kind: "A LangSmith key", shape: /\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b/g },
  { kind: "A Netlify token", shape: /\bnfp_[A-Za-z0-9]{36,40}\b/g },
  { kind: "A Render key", shape: /\brnd_[A-Za-z0-9]{32}\b/g },
  { kind: "A Supabase token", shape: /\bsbp_[0-9a-f]{40}\b/g },
  {
    kind: "A Fly.io token",
    shape: /\b(?:fo1_[\w-]{43}(?![\w-])|fm[12]r?_[A-Za-z0-9+/]{100,500})/g,
  },
  { kind: "A Mailchimp key", shape: /\b[0-9a-f]{32}-us\d{1,2}\b/g },
  { kind: "A Square token", shape: /\bsq0(?:atp|csp)-[\w-]{22,43}(?![\w-])/g },
  { kind: "A Postman key", shape: /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b/g },
  { kind: "A Google access token", shape: /\bya29\.[\w-]{60,400}/g },
  { kind: "A Firebase server key", shape: /\bAAAA[\w-]{7}:APA91[\w-]{100,200}/g },
  { kind: "A Contentful token", shape: /\bCFPAT-[\w-]{43}(?![\w-])/g },
  { kind: "A New Relic key", shape: /\bNRAK-[A-Z0-9]{27}\b/g },
  { kind: "A Jina key", shape: /\bjina_[0-9a-f]{32}[\w-]{28}(?![\w-])/g },
  { kind: "A Cerebras key", shape: /\bcsk-[a-z0-9]{48}\b/g },
  { kind: "A Firecrawl key", shape: /\bfc-[0-9a-f]{32}\b/g },
  { kind: "An E2B key", shape: /\be2b_[0-9a-f]{40}\b/g },
  {
    kind: "A Langfuse secret key",
    shape: /\bsk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
  },
  { kind: "A PyPI token", shape: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,400}/g },
  { kind: "A RubyGems key", shape: /\brubygems_[0-9a-f]{48}\b/g },
  { kind: "An Atlassian token", shape: /\bATATT3[\w=-]{150,400}/g },
  {
    kind: "A Paddle key",
    shape: /\bpdl_live_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}\b/g,
  },
  { kind: "A Telegram bot's token", shape: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  {
    // The key for the app's own cookies and tokens has no format, so it is recognised by its name.
    kind: "A secret of the app's own",
    shape: new RegExp(
      `${CALLED_SECRET}${QUOTE}?\\]?(?:\\s{0,3}:\\s{0,3}string)?\\s{0,4}(?:[:=]|\\|\\||\\?\\?)\\s{0,4}` +
        // The value may be preceded by `process.env.SECRET ||`, `[` and `new TextEncoder().encode(`.
        `(?:[^\\n;,]{0,80}(?:\\|\\||\\?\\?)\\s{0,4})?\\[?(?:[\\w.() ]{1,60}\\()?` +
        `${QUOTE}(?<value>[A-Za-z0-9+/_=.-]{20,200})${QUOTE}`,
      "gi",
    ),
    counts: ({ groups }) => isRandom(groups!["value"]!),
  },
  {
    kind: "An API key",
    shape: new RegExp(
      `\\b(?<name>[\\w-]{0,40}(?:api[-_]?(?:key|token)|access[-_]?token|auth[-_]?key|bot[-_]?token|service[-_]?key|subscription[-_]?key))${QUOTE}?\\]?(?:\\s{0,3}:\\s{0,3}str(?:ing)?)?\\s{0,4}(?:[:=]|\\|\\||\\?\\?)\\s{0,4}` +
        `(?:[^\\n;,]{0,80}(?:\\|\\||\\?\\?)\\s{0,4})?${QUOTE}(?<value>[A-Za-z0-9+/_=.-]{20,200})${QUOTE}`,
      "gi",
    ),
    counts: ({ groups, index }, text) =>
      isRandom(groups!["value"]!) &&
      !PUBLIC_NAME.test(groups!["name"]!) &&
      !PUBLIC_VALUE.test(groups!["value"]!) &&
      !PUBLIC_KEY.test(text.slice(Math.max(0, index - 200), index + 400)),
  },
  {
    kind: "An access token",
    shape: new RegExp(`${QUOTE}Bearer (?<value>[A-Za-z0-9+/_=.-]{20,200})${QUOTE}`, "g"),
    counts: ({ groups }) => isRandom(groups!["value"]!) && !PUBLIC_VALUE.test(groups!["value"]!),
  },
  {
    kind: "A password",
    shape: new RegExp(`${QUOTE}Basic (?<value>[A-Za-z0-9+/]{12,300}={0,2})${QUOTE}`, "g"),
    counts: ({ groups }) => {
      const password = passwordOf(groups!["value"]!);
      return password !== undefined && !isNoPassword(password) && !isPlaceholder(password);
    },
  },
  {
    // A signing key passed to a library is a secret, random or not.
    kind: "A secret of the app's own",
    isOfCode: true,
    shape:
      /(?<!["'`])(?:\bjwt\.(?:sign|verify)\([^"'`;]{1,200},\s{0,20}|\bsession\(\{[^{}]{0,300}?\bsecret:\s{0,4}\[?|\bcookieParser\(\s{0,4}|\bapp\.secret_key\s{0,4}=\s{0,4}|\bapp\.config\[["']SECRET_KEY["']\]\s{0,4}=\s{0,4}|^SECRET_KEY\s{0,4}=\s{0,4}(?=["']django-insecure-))["'`](?<value>[^"'`\n$]{6,200})["'`]/gm,
    counts: ({ index }, text) => !isRemark(text, index),
  },
  {
    kind: "A password",
    isOfCode: true,
    shape:
      /\b(?:host(?:name)?["']?\s{0,4}[:=]\s{0,4}["'`](?<host>[\w.-]{1,200})|service["']?\s{0,4}:\s{0,4}["'`]\w{1,40})["'`][^}]{0,300}?\bpass(?:word|wd)?["']?\s{0,4}[:=]\s{0,4}["'`](?<value>[^"'`\n$]{6,100})["'`]/gi,
    counts: ({ groups }) =>
      !isNoPassword(groups!["value"]!) && !isLocal(groups!["host"] ?? "mail.shop.com"),
  },
  {
    // In settings files, where it is a whole line: identifiers rarely contain digits.
    kind: "A secret of the app's own",
    shape: new RegExp(
      `^[ \\t]{0,40}(?:(?:export|ENV|ARG|-)[ \\t]{1,4})?(?:[\\w-]{1,40}\\.){0,6}${CALLED_SECRET}[ \\t]{0,4}[:=][ \\t]{0,4}` +
        `(?<value>(?=(?:[^\\d\\n]{0,60}\\d){3})[A-Za-z0-9+/_=-]{20,200})[ \\t]{0,4}\\r?$`,
      "gim",
    ),
    counts: ({ groups }) => isRandom(groups!["value"]!),
  },
];

/** Whether letters and digits alternate as in random text and hardly ever in words. */
function isRandom(text: string): boolean {
  // An identifier or a message, such as `_password_1a2b3c`.
  if (/secret|passw|token|public/i.test(text)) return false;
  // Test keys of a provider grant no access.
  if (/^[a-z]{2,6}[-_]test[-_]/i.test(text)) return false;
  // A hex text may have long runs of digits by chance.
  if (/^[0-9a-f]{32,}$/i.test(text)) return true;
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g) ?? [];
  return changes.length >= text.length / 4;
}

const SAID_TO_BE_NONE =
  /example|placeholder|your|dummy|fake|sample|change-?me|redacted|xxxx|0000|1234567|abcdefg|\.\.\./i;
/**
 * Number of characters of a value in which words of a placeholder are searched: a thousand characters
 * contain short words by chance.
 */
const BEGINNING = 80;
/** Minimum number of distinct characters in random text of 20 characters or more. */
const VARIETY = 8;

/** Whether the value is an example of a format, as in documents and tests. */
export const isPlaceholder = (value: string) =>
  SAID_TO_BE_NONE.test(value.slice(0, BEGINNING)) ||
  (value.length >= 16 && new Set(value).size < VARIETY);
