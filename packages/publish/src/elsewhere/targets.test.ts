/** What every target does, over servers that stand in for the hosts: no account of any can be had here. */
import type { Place } from "@treadle/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiFailure } from "@treadle/common";
import { cloudflare } from "./cloudflare.ts";
import { ACCOUNT, CLOUDFLARE, startCloudflare } from "./cloudflare.test-support.ts";
import { netlify } from "./netlify.ts";
import { NETLIFY, startNetlify } from "./netlify.test-support.ts";
import { testSending, type TestSending } from "./sending.test-support.ts";
import type { StandIn } from "./stand-in.test-support.ts";
import type { Sending, Target } from "./target.ts";
import { vercel } from "./vercel.ts";
import { startVercel, VERCEL } from "./vercel.test-support.ts";

const TOKEN = "tok-of-ada-9f2c";

/** A host that is stood in for: what it publishes, and how it refuses. */
type Host = StandIn & { files(address: string): Record<string, string>; refusal: string | undefined }; // prettier-ignore

interface Case {
  target: Target;
  own: string;
  place: Place;
  start(token: string): Promise<Host>;
  /** What goes along so that addresses mean what they mean here. */
  added: readonly string[];
  /** What is asked in the midst of it, and once it may be what people get. */
  midst: RegExp;
  late: RegExp;
}

const CASES: Case[] = [
  {
    target: netlify,
    own: NETLIFY,
    place: {},
    start: startNetlify,
    added: ["_redirects"],
    midst: /^PUT .*files/,
    late: /^GET \/deploys/,
  },
  {
    target: vercel,
    own: VERCEL,
    place: {},
    start: startVercel,
    added: ["vercel.json"],
    midst: /^POST \/v2\/files/,
    late: /^POST \/v13\/deployments/,
  },
  {
    target: cloudflare,
    own: CLOUDFLARE,
    place: { account: ACCOUNT },
    start: startCloudflare,
    added: [],
    midst: /^POST .*\/assets\/upload/,
    late: /^PUT .*\/scripts\//,
  },
];

const SITE = {
  "index.html": "<script src=/assets/app.js></script>",
  "assets/app.js": "let a = 1",
  "assets/a b.css": "p { color: red }",
  "twice.txt": "let a = 1",
};

describe.each(CASES)("$target.name", ({ target, own, place, start, added, midst, late }) => {
  let host: Host;
  let test: TestSending;
  let write: TestSending["write"];
  let progress: string[];
  let slept: number[];

  beforeEach(async () => {
    host = await start(TOKEN);
    test = testSending();
    ({ write, progress, slept } = test);
    write(SITE);
  });
  afterEach(async () => {
    await host.close();
    test.remove();
  });

  const send = (more: Partial<Sending> = {}) =>
    target.send(
      test.site,
      test.with({
        token: TOKEN,
        place,
        origin: (asked) => ({ url: asked === own ? host.origin : asked, local: true }),
        ...more,
      }),
    );
  const failure = async (more: Partial<Sending> = {}) =>
    send(more).then(
      () => {
        throw new Error("It was sent.");
      },
      (error: unknown) => error as ApiFailure,
    );

  it("has every file of the release at the address that is told, and nothing else", async () => {
    const { address } = await send();
    const { ...files } = host.files(address!);
    for (const name of added) delete files[name];
    expect(files).toEqual(SITE);
    expect(progress.at(-1)).toMatch(/makes it ready/);
  });

  it("sends the next release to the same address", async () => {
    const first = await send();
    write({ "assets/app.js": "let a = 2" });
    const second = await send({ place: { ...place, ...first.place } });
    expect(second.address).toBe(first.address);
    expect(host.files(second.address!)["assets/app.js"]).toBe("let a = 2");
    // What is there already need not be sent again, of the same revision.
    expect((await send({ place: { ...place, ...first.place } })).address).toBe(first.address);
  });

  it("says that the token is not taken, and never what it was", async () => {
    const error = await failure({ token: "tok-of-nobody" });
    expect(error).toMatchObject({ code: "token" });
    expect(error.message).toContain("does not accept the token");
    expect(error.message + progress.join()).not.toContain("tok-of-nobody");
  });

  it("waits as long as it is asked to, and says so", async () => {
    let busy = 2;
    host.fault = ({ line }) =>
      midst.test(line) && busy-- > 0
        ? { status: 429, headers: { "retry-after": "20" }, body: {} }
        : undefined;
    await send();
    expect(slept.filter((ms) => ms === 20_000).length).toBe(2);
    expect(progress.join("\n")).toContain("asks us to wait 20 s");
  });

  it("gives up where it would have to wait for long", async () => {
    host.fault = () => ({ status: 429, headers: { "retry-after": "3600" }, body: {} });
    const error = await failure();
    expect(error).toMatchObject({ code: "host-busy" });
    expect(error.message).toContain("60 min");
    expect(slept).toEqual([]);
  });

  it.each(["cut", { status: 503 }, { status: 500 }, { status: 522 }, { status: 408 }] as const)(
    "tries again where an upload ends with %o",
    async (how) => {
      let bad = 2;
      host.fault = ({ line }) => (midst.test(line) && bad-- > 0 ? how : undefined);
      const { address } = await send();
      expect(host.files(address!)).toMatchObject(SITE);
    },
  );

  it("sends to where it began the time before, though that was cut", async () => {
    host.fault = ({ line }) => (midst.test(line) ? "cut" : undefined);
    await failure();
    host.fault = undefined;
    const next = { ...place, ...test.places.at(-1) };
    const { address } = await send({ place: next });
    expect(host.files(address!)).toMatchObject(SITE);
    const made = host.asked.filter(({ line }) => /^POST \/(?:sites|api\/v1\/sites)$/.test(line));
    expect(made.length).toBeLessThanOrEqual(1);
    expect(address).toContain(test.site.name);
  });

  it("ends with a sentence where the line is cut again and again", async () => {
    host.fault = ({ line }) => (midst.test(line) ? "cut" : undefined);
    const error = await failure();
    expect(error).toMatchObject({ code: "host-cut" });
    expect(error.message).toMatch(/broke off.*send it again/);
    const tries = host.asked.filter(({ line }) => midst.test(line)).length;
    expect(tries).toBeGreaterThanOrEqual(4);
    expect(tries).toBeLessThanOrEqual(16);
  });

  it("promises nothing where the line is cut, or the token runs out, once it may be what people get", async () => {
    const isLate = (line: string) =>
      late.test(line) && host.asked.some((one) => midst.test(one.line));
    host.fault = ({ line }) => (isLate(line) ? "cut" : undefined);
    const error = await failure();
    expect(error).toMatchObject({ code: "host-cut" });
    expect(error.message).toMatch(/It is not known whether the release has arrived/);
    host.asked.length = 0;
    write({ "assets/app.js": "let a = 3" });
    host.fault = ({ line }) => (isLate(line) ? { status: 401, body: {} } : undefined);
    const refused = await failure();
    expect(refused).toMatchObject({ code: "token" });
    expect(refused.message).not.toMatch(/is unchanged/);
  });

  const REFUSAL = { status: 403, body: { message: "The account is locked" } };

  it("says that what was there before still is where it is refused in the midst of it", async () => {
    host.fault = ({ line }) => (midst.test(line) ? REFUSAL : undefined);
    const { message } = await failure();
    expect(message).toMatch(/is locked\. What was there before is unchanged; send it again once/);
  });

  it("promises nothing where it is refused once it may be what people get", async () => {
    const isLate = (line: string) =>
      late.test(line) && host.asked.some((one) => midst.test(one.line));
    host.fault = ({ line }) => (isLate(line) ? REFUSAL : undefined);
    const { message } = await failure();
    expect(message).toMatch(/is locked\. It is not known whether the release has arrived/);
  });

  it("takes no page of somebody on the way for an answer", async () => {
    const page = { status: 200, headers: { "content-type": "text/html" }, body: "Sign in" };
    host.fault = ({ line }) => (midst.test(line) ? page : undefined);
    expect(await failure()).toMatchObject({ code: "host-odd" });
  });

  it("sends many files though it is asked to wait again and again", async () => {
    const many = Array.from({ length: 700 }, (_, at) => [`a/${at} %#ü.txt`, `text ${at}`]);
    write(Object.fromEntries(many) as Record<string, string>);
    let asked = 0;
    host.fault = ({ line }) =>
      (midst.test(line) || late.test(line)) && ++asked % 50 === 0
        ? { status: 429, headers: { "retry-after": "60" }, body: {} }
        : undefined;
    const { address } = await send();
    const files = host.files(address!);
    expect(files["a/699 %#ü.txt"]).toBe("text 699");
    expect(Object.keys(files).length).toBe(Object.keys(SITE).length + 700 + added.length);
  });

  it("is stopped in the midst of it, though the host says nothing", async () => {
    host.fault = ({ line }) => (midst.test(line) ? "hang" : undefined);
    const sending = failure();
    await expect.poll(() => host.asked.some(({ line }) => midst.test(line))).toBe(true);
    test.ends.abort();
    expect((await sending).name).toBe("AbortError");
  });

  it("says in the host's own words why it is not there", async () => {
    host.refusal = "The page\u202e is too odd.";
    const error = await failure();
    expect(error).toMatchObject({ code: "host-refused" });
    expect(error.message).toContain("is too odd.");
    expect(error.message).not.toContain("\u202e");
  });

  it.each([402, 403, 413, 507])(
    "says in the host's own words where %d says that no more is taken",
    async (status) => {
      const message = "The plan's quota of deployments is used up.";
      host.fault = ({ line }) => (midst.test(line) ? { status, body: { message } } : undefined);
      const error = await failure();
      expect(error.message).toContain(message);
      expect(error.code).toBe("host-refused");
      expect(host.asked.filter(({ line }) => midst.test(line)).length).toBeLessThanOrEqual(4);
    },
  );

  it("A39 takes the token nowhere else: a host that sends on is not followed", async () => {
    const other = await start(TOKEN);
    host.fault = ({ path }) => ({ status: 307, headers: { location: `${other.origin}${path}` } });
    expect(await failure()).toMatchObject({ code: "host-odd" });
    expect(other.asked).toEqual([]);
    await other.close();
  });

  it("says that nothing of its kind answers there", async () => {
    host.fault = () => ({ status: 200, body: "a page" });
    expect(await failure()).toMatchObject({ code: "host-odd" });
  });
});

it("gives up a host that asks for one pause after another, though it answers in between", async () => {
  const host = await startNetlify(TOKEN);
  const test = testSending();
  test.write(SITE);
  let asked = 0;
  host.fault = ({ line }) => {
    if (!line.startsWith("GET /deploys")) return undefined;
    return ++asked % 2 === 0
      ? { status: 200, body: { state: "preparing" } }
      : { status: 429, headers: { "retry-after": "110" }, body: {} };
  };
  const sending = test.with({ token: TOKEN, origin: () => ({ url: host.origin, local: true }) });
  await expect(netlify.send(test.site, sending)).rejects.toMatchObject({ code: "host-busy" });
  expect(test.slept.filter((ms) => ms === 110_000).length).toBeLessThan(40);
  await host.close();
  test.remove();
});
