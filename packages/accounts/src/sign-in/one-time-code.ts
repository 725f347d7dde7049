import { Secret, TOTP } from "otpauth";

const PERIOD_S = 30;

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer: "Treadle", label, secret: Secret.fromBase32(secret), period: PERIOD_S });

/** A new secret for an authenticator app, also as an `otpauth:` address. */
export function newCodeSecret(label: string): { secret: string; address: string } {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, address: totpOf(secret, label).toString() };
}

/**
 * The period in which a code is valid, now or one before or after; undefined if it is wrong or was used already.
 * The caller stores the period, so that nobody who watched the code can use it again.
 * @param after the period of the last code that was used
 */
export function periodOfCode(
  code: string,
  secret: string,
  { now, after }: { now: number; after: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(secret, "").validate({ token: code, timestamp: now, window: 1 });
  if (delta === null) return undefined;
  const period = Math.floor(now / 1000 / PERIOD_S) + delta;
  return period > after ? period : undefined;
}
