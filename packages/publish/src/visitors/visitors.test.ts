import { once } from "node:events";
import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { pageTag } from "./page-tag.ts";
import { putIntoPage } from "./put-into-page.ts";
import { readVisitReport, type VisitReport } from "./read-visit-report.ts";
import { createVisitInlet } from "./visit-inlet.ts";

const html = { "content-type": "text/html; charset=utf-8" };

it("is inlined into pages without a policy, and loaded from the app's own host if the policy allows it", () => {
  expect(pageTag(200, html, 3)).toMatchObject({
    tag: expect.stringMatching(/^<script>/) as string,
  });
  const with_ = (policy: string) => pageTag(200, { ...html, "content-security-policy": policy }, 3);
  expect(with_("default-src 'self'")).toEqual({
    tag: '<script src="/.well-known/treadle-errors.js?3"></script>',
  });
  expect(with_("img-src *")).toMatchObject({ tag: expect.stringContaining("src=") as string });
});

it("is left out of pages whose policy forbids it, of parts of pages, and of other files", () => {
  const tagFor = (more: Record<string, string>) => pageTag(200, { ...html, ...more }, 3);
  for (const policy of [
    "script-src 'nonce-abc'",
    "default-src 'none'",
    "default-src 'self'; connect-src https://api.example.com",
    "script-src 'self' 'strict-dynamic'",
    "default-src 'self', script-src 'none'",
    "sandbox allow-scripts",
  ])
    expect(tagFor({ "content-security-policy": policy }), policy).toBe("refused");
  expect(tagFor({ "content-security-policy-report-only": "script-src 'none'" })).toBe("refused");
  expect(tagFor({ "content-type": "application/json" })).toBeUndefined();
  expect(tagFor({ "cache-control": "no-transform" })).toBeUndefined();
  expect(tagFor({ "content-encoding": "zstd" })).toBeUndefined();
  for (const status of [204, 206, 302, 304]) expect(pageTag(status, html, 3)).toBeUndefined();
});

it("is inserted into compressed pages, chunk by chunk, and nothing else changes", async () => {
  const page = `<!doctype html><head><title>ä</title></head>${"<p>x".repeat(5_000)}`;
  const expected = page.replace("<head>", "<head><script>1</script>");
  for (const [encoding, pack, unpack] of [
    [undefined, (text: string) => Buffer.from(text), (bytes: Buffer) => bytes],
    ["gzip", gzipSync, gunzipSync],
    ["br", brotliCompressSync, brotliDecompressSync],
  ] as const) {
    const packed = pack(page);
    const pieces = [packed.subarray(0, 7), packed.subarray(7, 30), packed.subarray(30)];
    const out = await putIntoPage(Readable.from(pieces), encoding, "<script>1</script>").toArray();
    expect(unpack(Buffer.concat(out as Buffer[])).toString()).toBe(expected);
  }
});

it("passes on the beginning of a page before the rest arrives", async () => {
  const page = new Readable({ read() {} });
  const out = putIntoPage(page, undefined, "<i>");
  page.push("<head></head><p>first");
  const [piece] = (await once(out, "data")) as [Buffer];
  expect(piece.toString()).toBe("<head><i></head><p>first");
  page.push(null);
});

it("A127 removes queries, personal addresses and keys from a report, and keeps it short", () => {
  const read = readVisitReport(
    JSON.stringify({
      release: 3,
      page: "/orders/ada@lovelace.org?token=abc#x",
      message: "Cannot read ada@lovelace.org of +49 170 1234567, key sk_live_9fKq2WmZ7bXc4Rt8YpL3",
      source: "https://shop.example.com/assets/a.js?v=secret:3:14",
      stack: `Error: x\n    at f (https://shop.example.com/a.js?s=1:3:14)\n${"at g\n".repeat(500)}`,
      cookie: "session=1",
    }),
    "shop.example.com",
  )!;
  expect(read).toMatchObject({
    release: 3,
    page: "/orders/[e-mail]",
    message: "Cannot read [e-mail] of [number], key […]",
    source: "/assets/a.js:3:14",
  });
  expect(read.stack.split("\n")).toHaveLength(12);
  expect(read.stack).toContain("at f (/a.js:3:14)");
  expect(JSON.stringify(read)).not.toContain("session");
  for (const body of [
    "",
    "null",
    "[]",
    "{}",
    '{"message":1,"page":"/"}',
    '{"message":" ","page":"/"}',
  ])
    expect(readVisitReport(body, "a")).toBeUndefined();
});

it("A127 refuses a flood, a long report, another origin and invalid reports", async () => {
  const reports: VisitReport[] = [];
  const inlet = createVisitInlet(() => 0);
  const server = createServer((request, response) =>
    inlet.answer(request, response, "p", (report) => reports.push(report)),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const send = (body: string, origin = "http://shop.localhost", method = "POST") =>
    new Promise<number>((resolve, reject) => {
      const headers = { host: "shop.localhost", origin, "content-length": Buffer.byteLength(body) };
      const asked = ask(
        { port, path: "/.well-known/treadle-errors", method, headers },
        (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode!));
        },
      );
      asked.on("error", reject).end(body);
    });
  const report = JSON.stringify({ release: 1, page: "/", message: "boom" });
  try {
    expect(await send(report)).toBe(204);
    expect(await send(report, "https://elsewhere.example")).toBe(403);
    expect(await send("x".repeat(9_000))).toBe(413);
    expect(await send("nothing")).toBe(400);
    expect(await send("", undefined, "GET")).toBe(405);
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(report)));
    expect(answers.filter((status) => status === 204)).toHaveLength(18);
    expect(answers.filter((status) => status === 429)).toHaveLength(22);
    expect(reports).toHaveLength(19);
  } finally {
    server.close().closeAllConnections();
  }
});
