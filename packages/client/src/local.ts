/** Finds a server on this machine by its data folder. For Node only. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { TreadleError } from "./treadle-error.ts";
import { connect, type Connection, type Treadle } from "./treadle.ts";

const folderOf = (data: string | undefined) =>
  resolve(data || process.env.TREADLE_DATA || join(homedir(), ".treadle"));

/** The file with the server at which the person has signed in with `treadle login`. */
export const loginFile = (data?: string): string => join(folderOf(data), "login.json");

/** The server at which the person has signed in; undefined if there is none. */
export function readLogin(data?: string): { url: string; token: string } | undefined {
  try {
    const { url, token } = JSON.parse(readFileSync(loginFile(data), "utf8")) as Connection;
    return typeof url === "string" && typeof token === "string" ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The address and token of the server at which the person has signed in, otherwise of the data folder's server.
 * @param data default `TREADLE_DATA`, else `~/.treadle`
 * @throws TreadleError `not-running` if no server is running
 */
export function localConnection(data?: string): Connection {
  const folder = folderOf(data);
  const login = readLogin(data);
  if (login) return login;
  try {
    const { url } = JSON.parse(readFileSync(join(folder, "server.json"), "utf8")) as {
      url: string;
    };
    return { url, token: readFileSync(join(folder, "token"), "utf8").trim() };
  } catch {
    throw new TreadleError(
      "not-running",
      `No Treadle server is running with the data folder ${folder}. Start it with “treadle serve”, or name its folder.`,
      0,
    );
  }
}

/**
 * Connects to that server.
 * @throws TreadleError like `localConnection`
 */
export const connectLocal = (data?: string): Treadle => connect(localConnection(data));
