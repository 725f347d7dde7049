import { createHash, randomBytes } from "node:crypto";

/** A secret of 256 bits for a cookie, a link or a token. Only its digest is stored. */
export const newSecret = (prefix = ""): string =>
  `${prefix}${randomBytes(32).toString("base64url")}`;

/** The digest of a secret, which is stored in its place and by which it is looked up. */
export const digestOf = (secret: string): string =>
  createHash("sha256").update(secret).digest("base64url");

/** An id for a row. */
export const newId = (): string => randomBytes(12).toString("base64url").replaceAll(/[-_]/g, "x");
