import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import * as der from "./der.ts";

const YEAR_MS = 365 * 86_400_000;
const ECDSA_SHA256 = der.sequence(der.identifier("1.2.840.10045.4.3.2"));

/**
 * Keys and certificates with which this process answers for hosts; only `ca` is ever written to
 * disk.
 */
export interface CertificateAuthority {
  /** The certificate to trust, PEM. It is only valid for `hosts`. */
  ca: string;
  /** The certificate of the hosts, PEM. */
  cert: string;
  key: string;
  /** Base64 SHA-256 of the public key, which browsers are configured to trust. */
  fingerprint: string;
}

export function createCertificateAuthority(
  hosts: readonly string[],
  now = Date.now(),
): CertificateAuthority {
  const names = hosts.map((host) => der.plain(2, Buffer.from(host)));
  const [own, shown] = [keys(), keys()];
  const issuer = nameOf("Treadle static hosts");
  const validity = der.sequence(
    der.time(new Date(now - 86_400_000)),
    der.time(new Date(now + YEAR_MS)),
  );
  const make = (subject: Buffer, publicKey: KeyObject, extensions: Buffer[]) =>
    certificate({ issuer, subject, validity, publicKey, extensions, signer: own.privateKey });
  const ownId = keyId(own.publicKey);
  const shownId = keyId(shown.publicKey);
  const ca = make(issuer, own.publicKey, [
    extension("2.5.29.19", der.sequence(der.yes()), true),
    // keyCertSign
    extension("2.5.29.15", der.bits(Buffer.from([0x04]), 2), true),
    extension("2.5.29.14", der.octets(ownId)),
    // Restricted to these hosts, in case the key leaks.
    extension(
      "2.5.29.30",
      der.sequence(der.member(0, ...names.map((name) => der.sequence(name)))),
      true,
    ),
  ]);
  const leaf = make(nameOf("Treadle"), shown.publicKey, [
    extension("2.5.29.17", der.sequence(...names)),
    // digitalSignature, serverAuth
    extension("2.5.29.15", der.bits(Buffer.from([0x80]), 7), true),
    extension("2.5.29.37", der.sequence(der.identifier("1.3.6.1.5.5.7.3.1"))),
    extension("2.5.29.14", der.octets(shownId)),
    extension("2.5.29.35", der.sequence(der.plain(0, ownId))),
  ]);
  return {
    ca: pem(ca),
    cert: pem(leaf),
    key: shown.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    fingerprint: createHash("sha256").update(spki(shown.publicKey)).digest("base64"),
  };
}

const keys = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" });
const keyId = (key: KeyObject) => createHash("sha256").update(spki(key)).digest().subarray(0, 20);

const nameOf = (common: string) =>
  der.sequence(der.set(der.sequence(der.identifier("2.5.4.3"), der.text(common))));

const extension = (id: string, value: Buffer, critical = false) =>
  der.sequence(der.identifier(id), ...(critical ? [der.yes()] : []), der.octets(value));

function certificate(parts: {
  issuer: Buffer;
  subject: Buffer;
  validity: Buffer;
  publicKey: KeyObject;
  extensions: Buffer[];
  signer: KeyObject;
}): Buffer {
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x7f) | 1;
  const body = der.sequence(
    der.member(0, der.integer(Buffer.from([2]))),
    der.integer(serial),
    ECDSA_SHA256,
    parts.issuer,
    parts.validity,
    parts.subject,
    spki(parts.publicKey),
    der.member(3, der.sequence(...parts.extensions)),
  );
  return der.sequence(body, ECDSA_SHA256, der.bits(sign("sha256", body, parts.signer)));
}

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{1,64}/g, "$&\n")}-----END CERTIFICATE-----\n`;
