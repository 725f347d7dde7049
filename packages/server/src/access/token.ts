import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diskFailure } from "../common/disk-failure.ts";
import { makeFolder } from "@treadle/common/make-folder";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The data folder's start-up token. It is created once and stored, so that an open page survives a restart.
 * @throws ApiFailure if it cannot be stored
 */
export function loadToken(dataDirectory: string): string {
  try {
    return readOrMake(dataDirectory);
  } catch (error) {
    throw diskFailure(error) ?? error;
  }
}

function readOrMake(dataDirectory: string): string {
  makeFolder(dataDirectory, 0o700);
  const path = join(dataDirectory, "token");
  try {
    const token = readFileSync(path, "utf8").trim();
    if (TOKEN.test(token)) return token;
  } catch {
    // The file does not exist before the first start.
  }
  const token = randomBytes(32).toString("base64url");
  // Written atomically: a truncated token would be a different one after a restart.
  writeFileSync(`${path}.new`, `${token}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return token;
}
