import { expect, it } from "vitest";
import { proxyFor, proxyLogin, readUpstreamProxies } from "./upstream-proxy.ts";

const far = { host: "a.com", port: 443, secure: true };

it("npm's own settings have precedence over the environment", () => {
  const proxies = readUpstreamProxies(
    { "https-proxy": "http://one:8080", proxy: "http://two:8080", noproxy: "b.com" },
    { HTTPS_PROXY: "http://three:1", NO_PROXY: "a.com" },
  );
  expect(proxyFor(far, proxies)?.host).toBe("one:8080");
  expect(proxyFor({ ...far, port: 80, secure: false }, proxies)?.host).toBe("two:8080");
  expect(proxyFor({ ...far, host: "b.com" }, proxies)).toBe(undefined);
});

it("reads the environment in either case, and uses a proxy for HTTP for both", () => {
  expect(proxyFor(far, readUpstreamProxies({}, { https_proxy: "http://p:3128" }))?.port).toBe(
    "3128",
  );
  expect(proxyFor(far, readUpstreamProxies({}, { HTTP_PROXY: "p:3128" }))?.port).toBe("3128");
  expect(proxyFor(far, readUpstreamProxies({}, { ALL_PROXY: "http://p:1" }))?.port).toBe("1");
  expect(proxyFor(far, readUpstreamProxies({ proxy: "null" }, {}))).toBe(undefined);
});

it.each([
  ["a.com", true],
  [".a.com", true],
  ["*.a.com", true],
  ["a.com:443", true],
  ["a.com:80", false],
  ["*", true],
  ["b.com, com.example", false],
  ["xa.com", false],
])("with noproxy %j, connects to api.a.com directly: %j", (except, direct) => {
  const proxies = readUpstreamProxies({}, { HTTPS_PROXY: "http://p:1", NO_PROXY: except });
  expect(proxyFor({ ...far, host: "api.a.com" }, proxies) === undefined).toBe(direct);
});

it("decodes a login in the address", () => {
  const login = proxyLogin(new URL("http://us%40er:p%3Ass@proxy:8080"));
  expect(Buffer.from(login!.split(" ")[1]!, "base64").toString()).toBe("us@er:p:ss");
  expect(proxyLogin(new URL("http://proxy:8080"))).toBe(undefined);
});
