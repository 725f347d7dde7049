import { createHmac, timingSafeEqual } from "node:crypto";
import type { Signer } from "../types.ts";

/** Signs with a key of its own, made from the data folder's. Throws what reading that throws. */
export function createSigner(key: () => Uint8Array): Signer {
  let own: Buffer | undefined;
  const sign = (parts: readonly string[]) => {
    own ??= createHmac("sha256", key()).update("treadle approvals").digest();
    // As JSON, so that no two lists of parts are written alike.
    return createHmac("sha256", own).update(JSON.stringify(parts)).digest("base64url");
  };
  return {
    sign,
    isSigned(parts, signature) {
      const [right, given] = [Buffer.from(sign(parts)), Buffer.from(signature)];
      return right.length === given.length && timingSafeEqual(right, given);
    },
  };
}
