import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { staticPage } from "./static-page.ts";

const root = mkdtempSync(join(tmpdir(), "treadle-page-"));
const folder = join(root, "dist");
let page: (request: Request) => Promise<Response>;
const get = (path: string, headers: Record<string, string> = {}) =>
  page(new Request(`http://localhost:4173${path}`, { headers }));

beforeAll(() => {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<!doctype html>one");
  writeFileSync(join(folder, "assets/main-Ab3_dEf9.js"), "console.log(1);".repeat(100));
  writeFileSync(join(root, "secret.txt"), "secret");
  page = staticPage(folder, () => "script-src 'self'");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the built page", () => {
  it("is served for every address of its own, with its policy, and never cached", async () => {
    for (const path of ["/", "/projects/abc", "/index.html", "/a/b?x=1"]) {
      const response = await get(path);
      expect(await response.text()).toBe("<!doctype html>one");
      expect(response.headers.get("content-security-policy")).toBe("script-src 'self'");
      expect(response.headers.get("cache-control")).toBe("no-cache");
    }
  });

  it("serves hashed files with permanent caching, and compressed for clients that accept it", async () => {
    const path = "/assets/main-Ab3_dEf9.js";
    const plain = await get(path);
    expect(plain.headers.get("cache-control")).toContain("immutable");
    expect(plain.headers.get("content-type")).toContain("text/javascript");
    const packed = await get(path, { "accept-encoding": "br, gzip" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    const bytes = new Uint8Array(await packed.arrayBuffer());
    expect(gunzipSync(bytes).toString()).toBe(await plain.text());
  });

  it.each([
    "/assets/nosuch.js",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/secret.txt",
    "/%00.txt",
    "/%ff.js",
  ])("serves nothing outside for %s", async (path) => {
    const response = await get(path);
    expect(await response.text()).not.toContain("secret");
  });

  it("notices a new build", async () => {
    writeFileSync(join(folder, "index.html"), "<!doctype html>two");
    utimesSync(join(folder, "index.html"), new Date(), new Date(Date.now() + 5_000));
    expect(await (await get("/")).text()).toBe("<!doctype html>two");
  });
});
