import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { serveSite } from "./serve-site.ts";

const folders: string[] = [];
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function site(files: Record<string, string>, reportsOf?: () => number | undefined) {
  const folder = mkdtempSync(join(tmpdir(), "treadle-site-"));
  folders.push(folder);
  for (const [name, text] of Object.entries({ "site/index.html": "home", ...files })) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const serve = serveSite(join(folder, "site"), reportsOf);
  const server = createServer((request, response) => void serve(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, method });
}

describe("a published site", () => {
  it("answers with its files, their types, ranges and ETags", async () => {
    const get = await site({
      "site/assets/app-B1a2C3d4.js": "x".repeat(2_000),
      "site/a.txt": "abcdef",
    });
    const home = await get("/");
    expect([home.status, await home.text()]).toEqual([200, "home"]);
    expect(home.headers.get("content-type")).toMatch(/text\/html/);
    expect(home.headers.get("cache-control")).toBe("no-cache");
    const again = await get("/", { "if-none-match": home.headers.get("etag")! });
    expect(again.status).toBe(304);
    const script = await get("/assets/app-B1a2C3d4.js", { "accept-encoding": "gzip" });
    expect(script.headers.get("cache-control")).toMatch(/immutable/);
    expect(script.headers.get("content-encoding")).toBe("gzip");
    expect(await script.text()).toHaveLength(2_000);
    const part = await get("/a.txt", { range: "bytes=1-2" });
    expect([part.status, await part.text()]).toEqual([206, "bc"]);
  });

  it("is served below the path for which it was built", async () => {
    const get = await site({
      "site/index.html": `<link rel="icon" href="/my/app/icon.svg"><script type="module" src="/my/app/assets/a.js"></script>`,
      "site/assets/a.js": "script",
      "site/icon.svg": "<svg/>",
    });
    const home = await get("/");
    expect(new URL(home.url).pathname).toBe("/my/app/");
    expect(await home.text()).toMatch(/assets\/a\.js/);
    expect(await (await get("/my/app/assets/a.js")).text()).toBe("script");
    expect(await (await get("/my/app/some/route")).text()).toMatch(/assets\/a\.js/);
  });

  it("is served at the root of its host, whatever else its page refers to", async () => {
    const get = await site({
      "site/index.html": `<script src="/assets/a.js"></script><img src="/app/gone.png">`,
      "site/assets/a.js": "script",
    });
    expect(new URL((await get("/")).url).pathname).toBe("/");
    expect((await get("/assets/a.js")).status).toBe(200);
  });

  it("a single-page site does not answer a script's request with its page", async () => {
    const get = await site({});
    expect((await get("/api/time", { "sec-fetch-dest": "empty" })).status).toBe(404);
    expect((await get("/clock", { "sec-fetch-dest": "document" })).status).toBe(200);
    expect((await get("/clock")).status).toBe(200);
  });

  it("streams a large file, with each range under the same tag", async () => {
    const get = await site({ "site/film.mp4": "" });
    // Too large to be read or held completely.
    truncateSync(join(folders.at(-1)!, "site/film.mp4"), 2 ** 40);
    const complete = await get("/film.mp4");
    expect(complete.headers.get("content-length")).toBe(String(2 ** 40));
    const reader = complete.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    const tag = complete.headers.get("etag")!;
    const part = (headers: Record<string, string>) =>
      get("/film.mp4", { range: "bytes=-5", ...headers });
    for (const headers of [{}, { "if-range": tag }] as Record<string, string>[]) {
      const end = await part(headers);
      expect([end.status, end.headers.get("etag")]).toEqual([206, tag]);
      expect(end.headers.get("content-range")).toBe(
        `bytes ${2 ** 40 - 5}-${2 ** 40 - 1}/${2 ** 40}`,
      );
      expect((await end.arrayBuffer()).byteLength).toBe(5);
    }
    // It is a different file by now, so the rest of the old one would not fit.
    const other = await part({ "if-range": '"another"' });
    expect(other.status).toBe(200);
    await other.body!.cancel();
    expect((await get("/film.mp4", { range: `bytes=${2 ** 40}-` })).status).toBe(416);
    const since = { "if-modified-since": complete.headers.get("last-modified")! };
    expect((await get("/film.mp4", since)).status).toBe(304);
  });

  it("is read-only", async () => {
    const get = await site({});
    const answer = await get("/", {}, "POST");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await get("/", {}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "4"]);
  });

  it("finds files with any characters in their names, and nothing outside its folder", async () => {
    const names = ["a b.txt", "R&D, 2.txt", "why?.txt", "no #1.txt", "50%.txt", "%26.txt", "日本.txt", "d/é+=@.txt"]; // prettier-ignore
    const get = await site({
      ...Object.fromEntries(names.map((name) => [`site/${name}`, name])),
      "site/Q&A.html": "answers",
      "secret.txt": "secret",
    });
    for (const name of names) {
      const address = `/${name.split("/").map(encodeURIComponent).join("/")}`;
      expect(await (await get(address)).text(), address).toBe(name);
    }
    expect(await (await get("/Q%26A")).text()).toBe("answers");
    for (const out of [
      "/..%2Fsecret.txt",
      "/%2e%2e%2fsecret.txt",
      "/d%2F..%2F..%2Fsecret.txt",
      "/..%5Csecret.txt",
      "/%00.txt",
      "/%ff.txt",
    ])
      expect((await get(out)).status, out).toBe(404);
  });

  it("a single-page site answers every address with its page, except names of files", async () => {
    const get = await site({});
    expect(await (await get("/settings/me")).text()).toBe("home");
    expect((await get("/missing.js")).status).toBe(404);
  });

  it("a site with several pages answers a missing one with its own 404 page, if there is one", async () => {
    const get = await site({ "site/about.html": "about" });
    expect(await (await get("/about")).text()).toBe("about");
    expect((await get("/nothing")).status).toBe(404);
    const own = await site({ "site/404.html": "not here" });
    const missing = await own("/nothing");
    expect([missing.status, await missing.text()]).toEqual([404, "not here"]);
  });

  it("inserts the reporting script into pages that a browser shows, compressed or not, and nowhere else", async () => {
    let release: number | undefined = 3;
    const page = `<head></head>${"<p>hello".repeat(500)}`;
    const get = await site({ "site/index.html": page, "site/a.js": "1" }, () => release);
    const asPage = { "sec-fetch-dest": "document" };
    const shown = await get("/", asPage);
    const text = await shown.text();
    expect(text).toMatch(/^<head><script>/);
    expect(text.replace(/<script>.*<\/script>/, "")).toBe(page);
    expect(shown.headers.get("content-encoding")).toBe("gzip");
    const tag = shown.headers.get("etag")!;
    expect((await get("/", { ...asPage, "if-none-match": tag })).status).toBe(304);
    expect(await (await get("/", { ...asPage, "accept-encoding": "identity" })).text()).toBe(text);
    expect(await (await get("/")).text()).toBe(page);
    expect(await (await get("/a.js", asPage)).text()).toBe("1");
    release = undefined;
    expect(await (await get("/", asPage)).text()).toBe(page);
  });

  it("A110 serves nothing outside of its folder", async () => {
    const get = await site({ "secret.txt": "secret", "site-other/index.html": "secret" });
    for (const path of [
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/..%2fsecret.txt",
      "/%2e%2e%2fsecret.txt",
      "//..//secret.txt",
      "/..\\secret.txt",
      "/%5c..%5csecret.txt",
      "/../site-other/",
      "/%00",
      "/a/%2e%2e/%2e%2e/secret.txt",
    ])
      expect(await (await get(path)).text(), path).not.toContain("secret");
  });
});
