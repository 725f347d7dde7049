import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  return (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
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

  it("finds a file whatever signs are in its name, and nothing beside its folder", async () => {
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

  it("of one page answers every address with it, but none that names a file", async () => {
    const get = await site({});
    expect(await (await get("/settings/me")).text()).toBe("home");
    expect((await get("/missing.js")).status).toBe(404);
  });

  it("of several pages says what is not there, with its own page where it has one", async () => {
    const get = await site({ "site/about.html": "about" });
    expect(await (await get("/about")).text()).toBe("about");
    expect((await get("/nothing")).status).toBe(404);
    const own = await site({ "site/404.html": "not here" });
    const missing = await own("/nothing");
    expect([missing.status, await missing.text()]).toEqual([404, "not here"]);
  });

  it("has the script that tells errors in a page that a browser shows, packed or not, and in nothing else", async () => {
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

  it("A110 answers with nothing outside of its folder", async () => {
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
