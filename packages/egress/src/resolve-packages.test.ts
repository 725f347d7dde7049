import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen, send, type Listening } from "./egress.test-support.ts";
import type { PackageRequest } from "./package-request.ts";
import { readRegistryConfig } from "./registry-config.ts";
import { createRegistryProxy } from "./registry-proxy.ts";
import { askLicence, resolvePackages } from "./resolve-packages.ts";

type Versions = Record<string, object>;
const PACKAGES: Record<string, { latest: string; versions: Versions }> = {
  app: {
    latest: "2.0.0",
    versions: {
      "1.0.0": { dependencies: { old: "1" } },
      "2.0.0": {
        license: "MIT",
        dependencies: { deep: "^1.0.0", renamed: "npm:@scope/real@1", local: "file:../x" },
        optionalDependencies: { maybe: "*" },
        peerDependencies: { peer: ">=1", unneeded: "1" },
        peerDependenciesMeta: { unneeded: { optional: true } },
      },
    },
  },
  deep: {
    latest: "2.0.0",
    versions: { "1.0.0": {}, "1.5.0": { dependencies: { app: "*" } }, "2.0.0": { dependencies: { never: "1" } } }, // prettier-ignore
  },
  "@scope/real": { latest: "1.0.0", versions: { "1.0.0": { license: { type: "ISC" } } } },
  maybe: { latest: "1.0.0", versions: { "1.0.0": { dependencies: { gone: "1" } } } },
  peer: { latest: "3.0.0", versions: { "3.0.0": {} } },
};

let registry: Listening;
let env: Record<string, string>;
beforeAll(async () => {
  registry = await listen(
    createServer((request, response) => {
      const [name, version] = decodeURIComponent(request.url!.slice(1)).split(/(?<!@[^/]*)\//);
      const found = PACKAGES[name!];
      if (!found) return response.writeHead(404).end();
      const body = version ? found.versions[version] : { "dist-tags": { latest: found.latest }, versions: found.versions }; // prettier-ignore
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify(body)));
    }),
  );
  env = { npm_config_registry: `http://127.0.0.1:${registry.port}/`, HOME: "/nonexistent" };
});
afterAll(() => registry.close());
const signal = AbortSignal.timeout(20_000);

it("finds what an install brings, in the versions that it chooses, and says if a package could not be read", async () => {
  const { versions, isCut } = await resolvePackages(env, [["app", "latest"]], signal);
  expect(Object.fromEntries(versions)).toEqual({
    app: "2.0.0",
    deep: "1.5.0",
    "@scope/real": "1.0.0",
    maybe: "1.0.0",
    peer: "3.0.0",
    gone: "",
  });
  expect(isCut).toBe(true);
  const old = await resolvePackages(env, [["deep", "1.0.0"]], signal);
  expect([Object.fromEntries(old.versions), old.isCut]).toEqual([{ deep: "1.0.0" }, false]);
});

it("reads licences, also in their older form", async () => {
  expect(await askLicence(env, "app", "2.0.0", signal)).toBe("MIT");
  expect(await askLicence(env, "@scope/real", "1.0.0", signal)).toBe("ISC");
  expect(await askLicence(env, "peer", "3.0.0", signal)).toBeUndefined();
});

it("refuses what may not be installed in a sentence of the registry, and lets everybody read about it", async () => {
  const asked: PackageRequest[] = [];
  const inside = await listen(
    createRegistryProxy(readRegistryConfig(env), undefined, async (one) => {
      asked.push(one);
      return one.name === "deep";
    }),
  );
  const get = (path: string, accept = "*/*") =>
    send(inside.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: npm/11\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`); // prettier-ignore
  const install = "application/vnd.npm.install-v1+json";
  try {
    expect(await get("/deep", install)).toContain("200 OK");
    expect(await get("/app")).toContain("200 OK");
    expect(await get("/app", install)).toMatch(/403 Forbidden[^]*app is new to this team/);
    expect(await get("/app/-/app-2.0.0.tgz")).toContain("403 Forbidden");
    expect(asked).toEqual([{ name: "deep" }, { name: "app" }, { name: "app", version: "2.0.0" }]);
  } finally {
    inside.close();
  }
});
