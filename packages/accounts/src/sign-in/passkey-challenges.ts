import { randomBytes } from "node:crypto";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { Signer } from "@treadle/store";
import type { Exchanges } from "../people/exchanges.ts";

/** How long a person may take to answer their device, in milliseconds. */
export const CHALLENGE_MS = 5 * 60 * 1000;

/**
 * Challenges for passkeys. They are signed instead of stored, so that asking for one costs the
 * server nothing; one that was answered is recorded until it expires.
 */
export interface PasskeyChallenges {
  /**
   * Creates a challenge.
   * @param purpose what the answer may be used for, and by whom
   * @returns the challenge, and a ticket that the browser sends back with the answer
   */
  issue(purpose: string): { challenge: string; ticket: string };
  /**
   * The challenge of a ticket. Of several requests at once, one gets it.
   * @throws ApiFailure 400 `passkey-expired` if the ticket has expired, was used before, or is for another purpose
   */
  redeem(ticket: string, purpose: string): Promise<string>;
}

export function createPasskeyChallenges(parts: {
  signer(): Signer;
  exchanges: Exchanges;
  now: () => number;
}): PasskeyChallenges {
  const { signer, exchanges, now } = parts;
  const signed = (purpose: string, challenge: string, expiresAt: string) => [
    "passkey",
    purpose,
    challenge,
    expiresAt,
  ];
  return {
    issue(purpose) {
      const challenge = randomBytes(32).toString("base64url");
      const expiresAt = String(now() + CHALLENGE_MS);
      const signature = signer().sign(signed(purpose, challenge, expiresAt));
      return { challenge, ticket: `${challenge}.${expiresAt}.${signature}` };
    },
    async redeem(ticket, purpose) {
      const [challenge = "", expiresAt = "", signature = ""] = ticket.split(".");
      const leftMs = Number(expiresAt) - now();
      const isOurs = signer().isSigned(signed(purpose, challenge, expiresAt), signature);
      if (!isOurs || !(leftMs > 0) || !(await exchanges.claim("passkey", challenge, leftMs)))
        throw new ApiFailure(400, "passkey-expired", sentence("passkey-expired"));
      return challenge;
    },
  };
}
