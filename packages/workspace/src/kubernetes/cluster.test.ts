import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { readCluster } from "./cluster.ts";

const folder = mkdtempSync(join(tmpdir(), "treadle-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(user: object, cluster: object = {}): string {
  const file = join(folder, "config");
  writeFileSync(
    file,
    stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: "apps" } }],
      clusters: [{ name: "k", cluster: { server: "https://10.1.2.3:6443", ...cluster } }],
      users: [{ name: "u", user }],
    }),
  );
  return file;
}

test("reads a configuration with a client certificate", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const KUBECONFIG = write(
    { "client-certificate-data": base64("cert"), "client-key-data": base64("key") },
    { "certificate-authority-data": base64("ca") },
  );
  const { server, tls, namespace, token } = readCluster({ KUBECONFIG }, folder);
  expect(server.host).toBe("10.1.2.3:6443");
  expect([tls.ca, tls.cert, tls.key].map(String)).toEqual(["ca", "cert", "key"]);
  expect([namespace, token, tls.rejectUnauthorized]).toEqual(["apps", undefined, true]);
});

test("reads a token from a file anew each time, since it is renewed", () => {
  writeFileSync(join(folder, "token"), "one\n");
  const { token } = readCluster({ KUBECONFIG: write({ tokenFile: "token" }) }, folder);
  expect(token?.()).toBe("one");
  writeFileSync(join(folder, "token"), "two\n");
  expect(token?.()).toBe("two");
});

test("in a pod, uses the pod's own account", () => {
  const account = join(folder, "account");
  mkdirSync(account);
  for (const [name, text] of Object.entries({ token: "t\n", namespace: "treadle", "ca.crt": "ca" }))
    writeFileSync(join(account, name), text);
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const cluster = readCluster(env, account);
  expect([cluster.server.host, cluster.namespace, cluster.token?.()]).toEqual([
    "[fd00::1]",
    "treadle",
    "t",
  ]);
});

test.each([
  ["is missing", () => join(folder, "none")],
  ["starts a program to log in", () => write({ exec: { command: "aws" } })],
  [
    "names a context that it has not",
    () => (writeFileSync(join(folder, "bad"), "current-context: x"), join(folder, "bad")),
  ],
])("a configuration that %s is refused", (_, file) => {
  expect(() => readCluster({ KUBECONFIG: file() }, folder)).toThrow(
    expect.objectContaining({ code: "sandbox" }) as Error,
  );
});
