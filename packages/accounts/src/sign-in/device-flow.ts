import { randomInt } from "node:crypto";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { DeviceAnswer, DeviceRequest } from "@treadle/protocol";
import type { ApiTokens } from "../people/api-tokens.ts";
import type { Exchanges } from "../people/exchanges.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a code is valid, in milliseconds. */
const VALID_MS = 10 * 60 * 1000;
/** Maximum number of codes that are valid at once: few, so that guessing finds none. */
const MAX_CODES = 50;
/** Letters that spell no words and are not mistaken for one another (RFC 8628, 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_CHARS = 8;

/** Gives a program an API token through a code that a person types in the page (as RFC 8628). */
export interface DeviceFlow {
  /**
   * Begins a request.
   * @returns the secret with which the program asks for the answer, and the code for the person
   * @throws ApiFailure 429 `too-many-tries`
   */
  begin(request: DeviceRequest): Promise<{ device: string; code: string; expiresAt: number }>;
  /** The request that belongs to a code, in any spelling; undefined if there is no such code. */
  describe(code: string): Promise<DeviceRequest | undefined>;
  /**
   * Answers a request, once.
   * @param person gets the token if it is allowed
   * @returns whether there was such a code
   */
  answer(code: string, person: string, isAllowed: boolean): Promise<boolean>;
  /**
   * The answer to a request, or `pending`. An answer is returned once; after that, and after the code's time, it is
   * `expired`.
   */
  poll(device: string): Promise<DeviceAnswer>;
}

const spelled = (code: string) => code.toUpperCase().replaceAll(/[^A-Z]/g, "");

export function createDeviceFlow(parts: {
  exchanges: Exchanges;
  tokens: ApiTokens;
  now: () => number;
}): DeviceFlow {
  const { exchanges, tokens, now } = parts;
  return {
    async begin(request) {
      if ((await exchanges.count("user-code")) >= MAX_CODES)
        throw new ApiFailure(429, "too-many-tries", sentence("too-many-tries", { minutes: 10 }));
      const letters = Array.from({ length: CODE_CHARS }, () => LETTERS[randomInt(LETTERS.length)]);
      const code = letters.join("");
      const waiting: DeviceAnswer = { state: "pending" };
      const device = await exchanges.begin("device", waiting, VALID_MS);
      await exchanges.begin("user-code", { request, device }, VALID_MS, code);
      const expiresAt = now() + VALID_MS;
      return { device, code: `${code.slice(0, 4)}-${code.slice(4)}`, expiresAt };
    },
    async describe(code) {
      const begun = await exchanges.peek<{ request: DeviceRequest }>("user-code", spelled(code));
      return begun?.request;
    },
    async answer(code, person, isAllowed) {
      const begun = await exchanges.take<{ request: DeviceRequest; device: string }>(
        "user-code",
        spelled(code),
      );
      if (!begun) return false;
      const { request, device } = begun;
      const { name, scopes, days } = request;
      const expiresAt = now() + days * DAY_MS;
      const answer: DeviceAnswer = isAllowed
        ? { state: "granted", expiresAt, token: (await tokens.create(person, { name, scopes, expiresAt })).token } // prettier-ignore
        : { state: "denied" };
      await exchanges.replace("device", device, answer);
      return true;
    },
    async poll(device) {
      const waiting = await exchanges.peek<DeviceAnswer>("device", device);
      if (waiting?.state === "pending") return waiting;
      return (await exchanges.take<DeviceAnswer>("device", device)) ?? { state: "expired" };
    },
  };
}
