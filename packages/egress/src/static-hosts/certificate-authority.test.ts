import { X509Certificate } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer } from "node:https";
import { connect } from "node:tls";
import { expect, it } from "vitest";
import { createCertificateAuthority } from "./certificate-authority.ts";

const HOSTS = ["fonts.googleapis.com", "cdn.example.com"];
const authority = createCertificateAuthority(HOSTS);

const greet = (servername: string) =>
  new Promise<string>((resolve) => {
    const { key, cert, ca } = authority;
    const server = createServer({ key, cert }).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const socket = connect({ port, host: "127.0.0.1", servername, ca });
      const give = (how: string) => {
        socket.destroy();
        server.close();
        resolve(how);
      };
      socket.on("secureConnect", () => give("trusted"));
      socket.on("error", (error) => give((error as NodeJS.ErrnoException).code ?? error.message));
    });
  });

it("issues certificates for its hosts, accepted by clients that trust it", async () => {
  for (const host of HOSTS) expect(await greet(host)).toBe("trusted");
});

it("issues none for other hosts", async () => {
  expect(await greet("evil.example.com")).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
});

it("is new each time, and its certificate is readable by others", () => {
  const [ca, leaf] = [new X509Certificate(authority.ca), new X509Certificate(authority.cert)];
  expect(ca.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.verify(ca.publicKey)).toBe(true);
  expect(leaf.checkIssued(ca)).toBe(true);
  expect(createCertificateAuthority(HOSTS).ca).not.toBe(authority.ca);
});

it("cannot issue certificates for other hosts, even for someone with its key", () => {
  const { raw } = new X509Certificate(authority.ca);
  // The extension nameConstraints, critical, with the permitted names.
  const at = raw.indexOf(Buffer.from("0603551d1e0101ff", "hex"));
  expect(at).toBeGreaterThan(0);
  for (const host of HOSTS) expect(raw.indexOf(host)).toBeGreaterThan(at);
});
