import { createHmac, timingSafeEqual } from "node:crypto";
import type { Signer } from "../types.ts";

/**
 * Signs with a separate key derived from the data folder's key. Throws any error of reading that
 * key.
 */
export function createSigner(key: () => Uint8Array): Signer {
  let own: Buffer | undefined;
  const sign = (parts: readonly string[]) => {
    own ??= createHmac("sha256", key()).update("treadle approvals").digest();
    // As JSON, so that different lists of parts have different texts.
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
