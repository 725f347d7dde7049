/** The common behaviour of all targets, against stand-ins for the hosts. */
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

/** A stand-in with its published files and a way to make it refuse. */
type Host = StandIn & { files(address: string): Record<string, string>; refusal: string | undefined }; // prettier-ignore

interface Case {
  target: Target;
  own: string;
  place: Place;
  start(token: string): Promise<Host>;
  /** Files added so that addresses resolve as they do here. */
  added: readonly string[];
  /** Requests during the deployment, and those after which the release may be live. */
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

  it("publishes exactly the release's files at the reported address", async () => {
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
    // Files of the same revision need not be sent again.
    expect((await send({ place: { ...place, ...first.place } })).address).toBe(first.address);
  });

  it("reports a rejected token without revealing it", async () => {
    const error = await failure({ token: "tok-of-nobody" });
    expect(error).toMatchObject({ code: "token" });
    expect(error.message).toContain("does not accept the token");
    expect(error.message + progress.join()).not.toContain("tok-of-nobody");
  });

  it("waits as long as the host requests, and reports the wait", async () => {
    let busy = 2;
    host.fault = ({ line }) =>
      midst.test(line) && busy-- > 0
        ? { status: 429, headers: { "retry-after": "20" }, body: {} }
        : undefined;
    await send();
    expect(slept.filter((ms) => ms === 20_000).length).toBe(2);
    expect(progress.join("\n")).toContain("asks us to wait 20 s");
  });

  it("gives up if the requested wait is too long", async () => {
    host.fault = () => ({ status: 429, headers: { "retry-after": "3600" }, body: {} });
    const error = await failure();
    expect(error).toMatchObject({ code: "host-busy" });
    expect(error.message).toContain("60 min");
    expect(slept).toEqual([]);
  });

  it.each(["cut", { status: 503 }, { status: 500 }, { status: 522 }, { status: 408 }] as const)(
    "retries an upload that ends with %o",
    async (how) => {
      let bad = 2;
      host.fault = ({ line }) => (midst.test(line) && bad-- > 0 ? how : undefined);
      const { address } = await send();
      expect(host.files(address!)).toMatchObject(SITE);
    },
  );

  it("reuses the place of an earlier attempt that was interrupted", async () => {
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

  it("ends with an error if the connection is cut repeatedly", async () => {
    host.fault = ({ line }) => (midst.test(line) ? "cut" : undefined);
    const error = await failure();
    expect(error).toMatchObject({ code: "host-cut" });
    expect(error.message).toMatch(/broke off.*send it again/);
    const tries = host.asked.filter(({ line }) => midst.test(line)).length;
    expect(tries).toBeGreaterThanOrEqual(4);
    expect(tries).toBeLessThanOrEqual(16);
  });

  it("does not claim that nothing changed if the connection is cut or the token expires once the release may be live", async () => {
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

  it("says that the earlier release is still live if the host refuses during the upload", async () => {
    host.fault = ({ line }) => (midst.test(line) ? REFUSAL : undefined);
    const { message } = await failure();
    expect(message).toMatch(/is locked\. What was there before is unchanged; send it again once/);
  });

  it("does not claim that nothing changed if the host refuses once the release may be live", async () => {
    const isLate = (line: string) =>
      late.test(line) && host.asked.some((one) => midst.test(one.line));
    host.fault = ({ line }) => (isLate(line) ? REFUSAL : undefined);
    const { message } = await failure();
    expect(message).toMatch(/is locked\. It is not known whether the release has arrived/);
  });

  it("does not take a proxy's page for an answer", async () => {
    const page = { status: 200, headers: { "content-type": "text/html" }, body: "Sign in" };
    host.fault = ({ line }) => (midst.test(line) ? page : undefined);
    expect(await failure()).toMatchObject({ code: "host-odd" });
  });

  it("sends many files despite repeated requests to wait", async () => {
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

  it("can be stopped while the host does not respond", async () => {
    host.fault = ({ line }) => (midst.test(line) ? "hang" : undefined);
    const sending = failure();
    await expect.poll(() => host.asked.some(({ line }) => midst.test(line))).toBe(true);
    test.ends.abort();
    expect((await sending).name).toBe("AbortError");
  });

  it("gives the host's own reason for a failure", async () => {
    host.refusal = "The page\u202e is too odd.";
    const error = await failure();
    expect(error).toMatchObject({ code: "host-refused" });
    expect(error.message).toContain("is too odd.");
    expect(error.message).not.toContain("\u202e");
  });

  it.each([402, 403, 413, 507])(
    "gives the host's own reason for a refusal with %d",
    async (status) => {
      const message = "The plan's quota of deployments is used up.";
      host.fault = ({ line }) => (midst.test(line) ? { status, body: { message } } : undefined);
      const error = await failure();
      expect(error.message).toContain(message);
      expect(error.code).toBe("host-refused");
      expect(host.asked.filter(({ line }) => midst.test(line)).length).toBeLessThanOrEqual(4);
    },
  );

  it("A39 does not follow redirects, which would carry the token along", async () => {
    const other = await start(TOKEN);
    host.fault = ({ path }) => ({ status: 307, headers: { location: `${other.origin}${path}` } });
    expect(await failure()).toMatchObject({ code: "host-odd" });
    expect(other.asked).toEqual([]);
    await other.close();
  });

  it("reports an address without such an API", async () => {
    host.fault = () => ({ status: 200, body: "a page" });
    expect(await failure()).toMatchObject({ code: "host-odd" });
  });
});

it("gives up if a host requests one pause after another, even with answers in between", async () => {
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
