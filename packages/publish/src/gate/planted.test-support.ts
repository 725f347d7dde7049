import type { ReleaseFiles } from "./files/check-files.parser.ts";
import type { LockFile } from "./packages/lock-files.ts";

/** Deterministic random text, so that these files contain no real key. */
export function randomText(length: number, seed: number, letters = BASE62): string {
  let state = seed * 2_654_435_761;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += letters[(state >>> 16) % letters.length];
  }
  return text;
}

const BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX = "0123456789abcdef";

export const token = (role: string) =>
  [
    { alg: "HS256", typ: "JWT" },
    { iss: "supabase", ref: "abc", role, iat: 1, exp: 2_000_000_000 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat(randomText(43, 7))
    .join(".");

const pem = (kind: string) =>
  `-----BEGIN ${kind}-----\n${randomText(64, 8)}\n${randomText(64, 9)}\n-----END ${kind}-----\n`;

/** A secret of each kind, assembled here so that this file contains none. */
export const SECRETS: Record<string, string> = {
  "An OpenAI key": `sk-proj-${randomText(74, 1)}`,
  "An Anthropic key": `sk-ant-api03-${randomText(93, 2)}AA`,
  "An AWS access key": `AKIA${randomText(16, 3, BASE32)}`,
  "A GitHub token": `ghp_${randomText(36, 4)}`,
  "A Stripe secret key": `sk_live_${randomText(24, 5)}`,
  "A Google key": `AIza${randomText(35, 6)}`,
  "A Slack token": `xoxb-${randomText(11, 10, "123456789")}-${randomText(24, 11)}`,
  "A Supabase service key": token("service_role"),
  "A private key": pem("PRIVATE KEY"),
  "The password of a database": `postgres://shop:${randomText(16, 12)}@db.shop-data.com:5432/shop`,
  "An xAI key": `xai-${randomText(80, 80)}`,
  "A DeepSeek key": `sk-${randomText(32, 81, HEX)}`,
  "A Replicate token": `r8_${randomText(37, 82)}`,
  "A Perplexity key": `pplx-${randomText(48, 83)}`,
  "An ElevenLabs key": `sk_${randomText(48, 84, HEX)}`,
  "A Pinecone key": `pcsk_${randomText(6, 85)}_${randomText(63, 86)}`,
  "A Resend key": `re_${randomText(8, 87)}_${randomText(24, 88)}`,
  "A Mailgun key": `key-${randomText(32, 89, HEX)}`,
  "A Brevo key": `xkeysib-${randomText(64, 90, HEX)}-${randomText(16, 91)}`,
  "A Discord bot's token": `MTA${randomText(21, 92)}.G${randomText(5, 93)}.${randomText(38, 94)}`,
  "A Discord webhook": `https://discord.com/api/webhooks/123456789012345678/${randomText(68, 95)}`,
  "A Mapbox secret token": `sk.eyJ${randomText(60, 96)}.${randomText(22, 97)}`,
  "A DigitalOcean token": `dop_v1_${randomText(64, 98, HEX)}`,
  "An Azure storage key": `AccountName=shop;AccountKey=${randomText(86, 99)}==;EndpointSuffix=core.windows.net`,
  "A secret of the app's own": `const SESSION_SECRET = "${randomText(40, 102)}"`,
  "An Azure access key": `Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKey=${randomText(43, 103)}=`,
  "An Azure client secret": `aB${randomText(1, 104)}8Q~${randomText(34, 105)}`,
  "A Sentry token": `sntryu_${randomText(64, 106, HEX)}`,
  "A PlanetScale password": `pscale_pw_${randomText(43, 107)}`,
  "A Neon key": `napi_${randomText(64, 108, HEX)}`,
  "An Airtable token": `pat${randomText(14, 109)}.${randomText(64, 110, HEX)}`,
  "A Doppler token": `dp.pt.${randomText(43, 111)}`,
  "A Tavily key": `tvly-dev-${randomText(32, 112)}`,
  "A LangSmith key": `lsv2_pt_${randomText(32, 113, HEX)}_${randomText(10, 114, HEX)}`,
  "A Netlify token": `nfp_${randomText(40, 140)}`,
  "A Render key": `rnd_${randomText(32, 141)}`,
  "A Supabase token": `sbp_${randomText(40, 142, HEX)}`,
  "A Fly.io token": `fo1_${randomText(43, 143)}`,
  "A Mailchimp key": `${randomText(32, 144, HEX)}-us21`,
  "A Square token": `sq0atp-${randomText(22, 145)}`,
  "A Postman key": `PMAK-${randomText(24, 146, HEX)}-${randomText(34, 147, HEX)}`,
  "A Google access token": `ya29.${randomText(120, 148)}`,
  "A Firebase server key": `AAAA${randomText(7, 149)}:APA91${randomText(134, 150)}`,
  "A Contentful token": `CFPAT-${randomText(43, 151)}`,
  "A New Relic key": `NRAK-${randomText(27, 152, BASE32)}`,
  "A Jina key": `jina_${randomText(32, 153, HEX)}${randomText(28, 154)}`,
  "A Cerebras key": `csk-${randomText(48, 155, HEX)}`,
  "A Firecrawl key": `fc-${randomText(32, 156, HEX)}`,
  "An E2B key": `e2b_${randomText(40, 157, HEX)}`,
  "A Langfuse secret key": `sk-lf-${[8, 4, 4, 4, 12].map((length, at) => randomText(length, 158 + at, HEX)).join("-")}`,
  "A PyPI token": `pypi-AgEIcHlwaS5vcmc${randomText(120, 163)}`,
  "A RubyGems key": `rubygems_${randomText(48, 164, HEX)}`,
  "An Atlassian token": `ATATT3${randomText(180, 165)}`,
  "A Paddle key": `pdl_live_apikey_${randomText(26, 166, HEX)}_${randomText(22, 167)}_${randomText(3, 168)}`,
  "A Twilio token": `AC${randomText(32, 100, HEX)}", "${randomText(32, 101, HEX)}`,
};

export const release = (parts: Partial<ReleaseFiles>): ReleaseFiles => ({
  sources: [],
  output: [],
  own: [],
  hasPackages: false,
  ...parts,
});

const DIGEST = `sha512-${randomText(86, 13)}==`;
const REGISTRY = "https://registry.npmjs.org";

export const npmLock = (text: string): LockFile => ({
  file: "package-lock.json",
  text,
  manifest: "{}",
});

export const lockFileText = (packages: Record<string, object>) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": { name: "app" },
      "node_modules/react": {
        version: "19.3.0",
        resolved: `${REGISTRY}/react/-/react-19.3.0.tgz`,
        integrity: DIGEST,
        license: "MIT",
      },
      ...packages,
    },
  });

export const lockFile = (packages: Record<string, object>) => npmLock(lockFileText(packages));

export const locked = (name: string, more: object = {}) => ({
  [`node_modules/${name}`]: {
    version: "1.0.0",
    resolved: `${REGISTRY}/${name}/-/${name}-1.0.0.tgz`,
    integrity: DIGEST,
    license: "MIT",
    ...more,
  },
});

/** Correct apps that look as if something were wrong. */
export const CLEAN: Record<string, ReleaseFiles> = {
  "a page with Supabase's key for browsers": release({
    sources: [{ path: "src/data.ts", text: `createClient(url, "${token("anon")}")` }],
    output: [
      {
        path: "assets/a-1.js",
        text: `x("${token("anon")}","sb_publishable_${randomText(30, 14)}")`,
      },
    ],
    own: [
      { name: "SUPABASE_ANON_KEY", value: token("anon") },
      { name: "VITE_SUPABASE_KEY", value: token("anon") },
    ],
  }),
  "a shop with Stripe's public key": release({
    sources: [{ path: "src/pay.ts", text: `loadStripe("pk_live_${randomText(24, 15)}")` }],
    output: [{ path: "index.html", text: `pk_live_${randomText(24, 15)}` }],
    own: [{ name: "STRIPE_KEY", value: `pk_live_${randomText(24, 15)}` }],
  }),
  "documents and tests that show how keys look": release({
    sources: [
      {
        path: "README.md",
        text: `OPENAI_API_KEY=sk-proj-${"x".repeat(48)}\nAWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\nDATABASE_URL=postgres://user:password@db.shop-data.com/shop\nsk-ant-api03-your-key-here-your-key-here-your-key\n`,
      },
      {
        path: ".env.example",
        text: "STRIPE=sk_live_your_key\nTOKEN=ghp_000000000000000000000000000000000000\n",
      },
      {
        path: "src/settings.ts",
        text: 'const clientSecret = "projects/42/secrets/Shop-Client/versions/7"; const secret = "Correct-Horse-42-Battery-Staple"; export const SECRET_KEY = process.env.SECRET_KEY;',
      },
      {
        path: "test/pay.test.ts",
        text: 'const key = "sk-test-1234567890abcdef"; "sk_test_4eC39HqLyjWDarjtT1zdp7dc"',
      },
      {
        path: "compose.yaml",
        text: "DATABASE_URL: postgres://shop:s3cretish-but-local@db:5432/shop",
      },
    ],
    own: [{ name: "OPENAI_API_KEY", value: "your-key-goes-here" }],
  }),
  "public keys, a library that reads private ones, and Firebase": release({
    sources: [
      { path: "src/key.pem", text: pem("PUBLIC KEY") },
      {
        path: "src/firebase.ts",
        text: `initializeApp({ apiKey: "AIza${randomText(35, 16)}", authDomain: "a.firebaseapp.com" })`,
      },
    ],
    output: [
      {
        path: "a.js",
        text: 'if(e.startsWith("-----BEGIN PRIVATE KEY-----"))return importPKCS8(e)',
      },
    ],
  }),
  "packages with a choice of licences, and GPL only where the app is built": release({
    lockFile: lockFile({
      ...locked("jszip", { license: "(MIT OR GPL-3.0-or-later)" }),
      ...locked("classpath", { license: "GPL-2.0 WITH Classpath-exception-2.0" }),
      ...locked("classpath-too", { license: "GPL-2.0-with-classpath-exception" }),
      ...locked("a-builder", { license: "GPL-3.0", dev: true }),
      ...locked("weak", { license: "LGPL-3.0" }),
      ...locked("weaker", { license: "LGPLv3" }),
      ...locked("spoken", { license: "GNU Lesser General Public License v2.1" }),
      "node_modules/mine": { resolved: "packages/mine", link: true },
      "node_modules/npm/node_modules/inside": { version: "1.0.0", inBundle: true, license: "ISC" },
    }),
    hasPackages: true,
    advisories: {},
  }),
  "settings whose values are in the page because they have to be": release({
    output: [
      {
        path: "assets/a.js",
        text: `api("https://api.shop.com/v1","shop-client-0042","${randomText(32, 17)}")`,
      },
    ],
    own: [
      { name: "API_URL", value: "https://api.shop.com/v1" },
      { name: "OAUTH_CLIENT_ID", value: "shop-client-0042" },
      { name: "VITE_MAPS_KEY", value: randomText(32, 17) },
    ],
  }),
};
