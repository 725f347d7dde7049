import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time (A5), using digests of equal length. */
export function sameToken(given: string | undefined, token: string): boolean {
  if (given === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
