import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
  const stored = readToken(path);
  if (stored !== undefined) return stored;
  const token = randomBytes(32).toString("base64url");
  // Written atomically: a truncated token would be a different one after a restart.
  const draft = `${path}.${process.pid}.new`;
  writeFileSync(draft, `${token}\n`, { mode: 0o600, flush: true });
  try {
    // Of several servers that start at the same time, the first one's token is everybody's.
    linkSync(draft, path);
    return token;
  } catch {
    const other = readToken(path);
    if (other !== undefined) return other;
    // What is there is no token, or the disk has no hard links.
    renameSync(draft, path);
    return token;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The token in the file; undefined if there is no file, as before the first start, or no token in it. */
function readToken(path: string): string | undefined {
  try {
    const token = readFileSync(path, "utf8").trim();
    return TOKEN.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
