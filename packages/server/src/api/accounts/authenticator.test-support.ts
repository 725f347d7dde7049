/** A device that holds passkeys, as WebAuthn defines its answers (ES256, no attestation). */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

interface Asked {
  challenge: string;
  rpId?: string;
  rp?: { id?: string };
  user?: { id: string };
}

/** What an attack changes of an answer. */
interface Forged {
  origin?: string;
  rpId?: string;
  userHandle?: string;
  isVerified?: boolean;
  counter?: number;
  format?: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString("base64url");
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]); // prettier-ignore
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes]); // prettier-ignore

export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const key = Buffer.concat([
    Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
    Buffer.from(x, "base64url"),
    Buffer.from([0x22, 0x58, 32]),
    Buffer.from(y, "base64url"),
  ]);
  let counter = 0;
  let userHandle = "";

  const clientData = (type: string, { challenge }: Asked, forged: Forged) =>
    JSON.stringify({ type, challenge, origin: forged.origin ?? origin, crossOrigin: false });
  function authenticatorData(asked: Asked, forged: Forged, credential: Buffer | undefined) {
    const data = Buffer.alloc(5);
    const isVerified = forged.isVerified ?? true;
    data[0] = PRESENT | (isVerified ? VERIFIED : 0) | (credential ? WITH_CREDENTIAL : 0);
    data.writeUInt32BE(forged.counter ?? ++counter, 1);
    const rpId = forged.rpId ?? asked.rpId ?? asked.rp?.id ?? "";
    return Buffer.concat([sha256(rpId), data, credential ?? Buffer.alloc(0)]);
  }
  const answer = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: "public-key" as const,
    clientExtensionResults: {},
    response,
  });

  return {
    /** Makes a passkey. */
    create(asked: Asked, forged: Forged = {}) {
      userHandle = asked.user!.id;
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        cborText("fmt"),
        cborText(forged.format ?? "none"),
        cborText("attStmt"),
        Buffer.from([0xa0]),
        cborText("authData"),
        cborBytes(authenticatorData(asked, forged, credential)),
      ]);
      return answer({
        clientDataJSON: base64url(clientData("webauthn.create", asked, forged)),
        attestationObject: base64url(attestationObject),
        transports: ["internal"],
      });
    },
    /** Answers a challenge with the passkey. */
    get(asked: Asked, forged: Forged = {}) {
      const client = clientData("webauthn.get", asked, forged);
      const data = authenticatorData(asked, forged, undefined);
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: forged.userHandle ?? userHandle,
      });
    },
  };
}
