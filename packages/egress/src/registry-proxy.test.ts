import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { listen, send, startLoginProxy, startOrigin, type Asked } from "./egress.test-support.ts";
import { readRegistryConfig, type RegistryConfig } from "./registry-config.ts";
import { createRegistryProxy } from "./registry-proxy.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The result of reading a machine's npm configuration. */
function configured(npmrc: string, env: Record<string, string> = {}): RegistryConfig {
  const home = mkdtempSync(join(tmpdir(), "treadle-npmrc-"));
  closers.push(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, ".npmrc"), npmrc);
  return readRegistryConfig({ HOME: home, PATH: "", PREFIX: home, ...env });
}

async function offered(
  config: RegistryConfig,
  resolve = async (): Promise<string[]> => [],
): Promise<(path: string) => Promise<string>> {
  const inside = await listen(createRegistryProxy(config, { proxies: config.proxies, resolve }));
  closers.push(() => inside.close());
  return (path) =>
    send(
      inside.port,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${inside.port}\r\nAccept-Encoding: gzip, br\r\nConnection: close\r\n\r\n`,
    );
}

it("reads a private registry behind a proxy with authentication, with both logins", async () => {
  const origin = await startOrigin();
  const upstream = await startLoginProxy("us er:p@ss", () => origin.port);
  closers.push(origin.close, upstream.close);
  const get = await offered(
    configured(
      `registry=http://npm.corp.example/npm/\n//npm.corp.example/npm/:_authToken=\${TOKEN}\nproxy=http://us%20er:p%40ss@127.0.0.1:${upstream.port}\n`,
      { TOKEN: "npm_the_login" },
    ),
  );
  expect(await get("/npm/react")).toContain("origin /npm/react");
  expect(upstream.refused).toBe(0);
  expect(origin.asked[0]?.headers.authorization).toBe("Bearer npm_the_login");
  expect(origin.asked[0]?.headers["proxy-authorization"]).toBe(undefined);
});

it("reaches hosts of noproxy directly", async () => {
  const origin = await startOrigin();
  closers.push(origin.close);
  const get = await offered(
    configured(
      `registry=http://127.0.0.1:${origin.port}/\nproxy=http://127.0.0.1:1\nnoproxy=127.0.0.1,other.example\n`,
    ),
  );
  expect(await get("/react")).toContain("origin /react");
});

it("follows a registry that stores its archives elsewhere, without its login", async () => {
  const asked: Asked[] = [];
  const registry = await listen(
    createServer((request, response) => {
      asked.push({ method: request.method!, url: request.url!, headers: request.headers });
      if (request.url === "/npm/hop") response.writeHead(302, { location: "/beside/hop" });
      else if (request.url === "/npm/inward")
        response.writeHead(302, { location: "http://metadata.example/latest" });
      else if (request.url === "/npm/whoami")
        response.writeHead(302, { location: "/npm/-/whoami" });
      else if (request.url === "/npm/circle") response.writeHead(302, { location: "/npm/circle" });
      response.end("there");
    }),
  );
  closers.push(registry.close);
  const get = await offered(
    configured(
      `registry=http://127.0.0.1:${registry.port}/npm/\n//127.0.0.1:${registry.port}/npm/:_auth=dTpw\n`,
    ),
    async () => ["169.254.169.254"],
  );
  expect(await get("/npm/hop")).toContain("there");
  expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/npm/hop", "Basic dTpw"],
    ["/beside/hop", undefined],
  ]);
  // A39: redirect targets are checked like any other host.
  expect(await get("/npm/inward")).toContain("is not a public address");
  expect(await get("/npm/whoami")).toContain("private");
  expect(await get("/npm/circle")).toContain("502");
});

it("rewrites archives to the address inside if a login is needed, also in a compressed response", async () => {
  const registry = await listen(
    createServer((request, response) => {
      const { host } = request.headers;
      response
        .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        .end(gzipSync(JSON.stringify({ dist: { tarball: `http://${host}/npm/x/-/x-1.tgz` } })));
    }),
  );
  closers.push(registry.close);
  const place = `127.0.0.1:${registry.port}`;
  const get = await offered(
    configured(`registry=http://${place}/npm/\n//${place}/npm/:_authToken=t\n`),
  );
  expect(await get("/npm/x")).toMatch(/"tarball":"http:\/\/127\.0\.0\.1:\d+\/npm\/x\/-\/x-1\.tgz"/);
  expect(await get("/npm/x")).not.toContain(place);
});

it("scopes have separate registries, each with its login", () => {
  const { url, authorization, scopes } = configured(
    `registry=https://one.example/\n@corp:registry=https://two.example/api/npm\n//two.example/api/npm/:_authToken=two\n//three.example/:username=u\n//three.example/:_password=cA==\n@x-y:registry=https://three.example/\n`,
  );
  expect([url.href, authorization]).toEqual(["https://one.example/", undefined]);
  expect(
    scopes.map(({ scope, registry }) => [scope, registry.url.href, registry.authorization]),
  ).toEqual([
    ["@corp", "https://two.example/api/npm/", "Bearer two"],
    ["@x-y", "https://three.example/", `Basic ${Buffer.from("u:p").toString("base64")}`],
  ]);
});

it("removes a login from the registry's address", () => {
  const { url, authorization } = configured("registry=https://u:p@npm.example/x\n");
  expect(url.href).toBe("https://npm.example/x/");
  expect(authorization).toBe(`Basic ${Buffer.from("u:p").toString("base64")}`);
});

it("A32 settings of one registry do not apply to another, and a project's file is not read", () => {
  const config = configured(
    "registry=https://npm.example/a/\n//npm.example/b/:_authToken=other\n//npm.example.evil.com/:_authToken=evil\n",
  );
  expect(config.authorization).toBe(undefined);
});
