import { createHash, randomBytes } from "node:crypto";

/** A secret of 256 bits for a cookie, a link or a token. Only its digest is stored. */
export const newSecret = (prefix = ""): string =>
  `${prefix}${randomBytes(32).toString("base64url")}`;

/** What is stored of a secret, and looked up by. */
export const digestOf = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url");

/** An id for a row. */
export const newId = (): string => randomBytes(12).toString("base64url").replaceAll(/[-_]/g, "x");
