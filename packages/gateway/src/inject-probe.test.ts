import fc from "fast-check";
import { expect, test } from "vitest";
import { injectProbe, TOKEN_LIMIT } from "./inject-probe.ts";

const TAG = "<script src=probe></script>";

async function run(document: Buffer | string, cuts: number[] = []): Promise<Buffer> {
  const bytes = Buffer.from(document);
  const stream = injectProbe({ tag: TAG, policy: (value) => `${value}; admitted` });
  const out: Buffer[] = [];
  stream.on("data", (piece: Buffer) => out.push(piece));
  const ended = new Promise((resolve) => stream.on("end", resolve));
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    stream.write(bytes.subarray(from, cut));
    from = cut;
  }
  stream.end();
  await ended;
  return Buffer.concat(out);
}

const after = async (document: string) => (await run(document)).toString();

test("the tag is inserted first in the head", async () => {
  expect(await after("<!doctype html><html lang=en><head><title>a</title></head>")).toBe(
    `<!doctype html><html lang=en><head>${TAG}<title>a</title></head>`,
  );
});

test.each([
  ["no head", "<!doctype html><p>hi", `<!doctype html>${TAG}<p>hi`],
  ["no html", "<title>x</title><p>hi", `${TAG}<title>x</title><p>hi`],
  ["text alone", "hi <head>", `${TAG}hi <head>`],
  ["header is no head", "<header>a</header>", `${TAG}<header>a</header>`],
  ["nothing", "", TAG],
  ["spaces", " \n", ` \n${TAG}`],
  ["a head in a comment", "<!-- <head> --><head>a", `<!-- <head> --><head>${TAG}a`],
  ["a > in an attribute", '<html data-a="<head>"><head>', `<html data-a="<head>"><head>${TAG}`],
  ["upper case", "<HTML><HEAD LANG='a>b'>x", `<HTML><HEAD LANG='a>b'>${TAG}x`],
  ["an unfinished tag", "<htm", `<htm${TAG}`],
  [
    "an old type",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD>"><head>',
    `<!DOCTYPE html PUBLIC "-//W3C//DTD>"><head>${TAG}`,
  ],
])("finds the start of the head: %s", async (_, document, expected) => {
  expect(await after(document)).toBe(expected);
});

test("rewrites the policy of a meta element, only in the head", async () => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="default-src &#39;self&#39;">`;
  const expected = `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; admitted">`;
  expect(await after(`<head><script>"${meta}"</script>${meta}</head><body>${meta}`)).toBe(
    `<head>${TAG}<script>"${meta}"</script>${expected}</head><body>${meta}`,
  );
  expect(await after("<head><meta charset=latin1>")).toBe(`<head>${TAG}<meta charset=latin1>`);
});

test("produces the same output wherever a document is split", async () => {
  const document = Buffer.from(
    `\ufeff<!doctype html><!-- a <head> --><html a="x>"><head data-b='>'><meta charset=utf-8><style>a{}</style>` +
      `<meta content="default-src 'self'" http-equiv=content-security-policy><title>€ <b></title></head><body>ünï`,
  );
  const complete = await run(document);
  expect(complete.toString()).toContain(`<head data-b='>'>${TAG}<meta charset`);
  expect(complete.toString()).toContain("admitted");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(document.length), { maxLength: 12 }), async (cuts) => {
      const sorted = cuts.toSorted((a, b) => a - b);
      expect((await run(document, sorted)).equals(complete)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("passes on every byte of a document outside of the head unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const body = Buffer.from(bytes);
      const out = await run(Buffer.concat([Buffer.from("<head></head>"), body]), [5, 20]);
      expect(out.equals(Buffer.concat([Buffer.from(`<head>${TAG}</head>`), body]))).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("passes on UTF-16 unchanged", async () => {
  const document = Buffer.from("\ufeff<head></head>", "utf16le");
  expect((await run(document)).equals(document)).toBe(true);
});

test("waits for a tag that never ends up to the limit, and then passes it on", async () => {
  const open = (size: number) => `<head><meta a="${"x".repeat(size)}`;
  const stream = injectProbe({ tag: TAG, policy: (value) => value });
  const out: string[] = [];
  stream.on("data", (piece: Buffer) => out.push(piece.toString()));
  const start = open(TOKEN_LIMIT - '<meta a="'.length);
  stream.write(start);
  expect(out.join("")).toBe(`<head>${TAG}`);
  stream.write("x");
  expect(out.join("")).toBe(`<head>${TAG}${start.slice(6)}x`);
  stream.destroy();
});
