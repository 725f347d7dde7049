import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { loginFile, readLogin } from "@treadle/client/local";
import type { DeviceAnswer, Scope } from "@treadle/protocol";
import { dirname } from "node:path";
import { plain } from "./terminal/plain.ts";

interface Begun {
  device: string;
  code: string;
  address: string;
  expiresAt: number;
  pollMs: number;
}

/** Sends a request to the server. @throws Error with the message of a refusal */
async function ask<Answer>(
  origin: string,
  path: string,
  json: object,
  token?: string,
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method: "POST",
    redirect: "error",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? { origin } : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(json),
  }).catch(() => {
    throw new Error(`The Treadle server at ${origin} does not answer.`);
  });
  const answer = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
  if (response.ok) return answer as Answer;
  throw new Error(answer.error?.message ?? `The server answered ${response.status}.`);
}

/** `treadle login URL`: signs this command in at a server, by a code that the person types in its page. */
export async function login(command: {
  origin: string;
  scopes: Scope[];
  days: number;
  data?: string | undefined;
}): Promise<number> {
  const { origin, scopes, days } = command;
  const request = { name: hostname().slice(0, 100) || "treadle", scopes, days };
  const { device, code, address, pollMs } = await ask<Begun>(
    origin,
    "/api/sign-in/device",
    request,
  );
  process.stdout.write(`Open ${plain(address)} and enter the code ${plain(code)}\n`);
  for (;;) {
    await wait(pollMs);
    const answer = await ask<DeviceAnswer>(origin, "/api/sign-in/device/answer", { device });
    if (answer.state === "pending") continue;
    if (answer.state !== "granted") {
      process.stderr.write(
        answer.state === "denied" ? "It was refused.\n" : "The code has expired. Try again.\n",
      );
      return 1;
    }
    saveLogin(command.data, { url: origin, token: answer.token });
    const until = new Date(answer.expiresAt).toISOString().slice(0, 10);
    process.stdout.write(
      `Signed in at ${origin} until ${until}. The other commands use this server until “treadle logout”.\n`,
    );
    return 0;
  }
}

/** `treadle logout`: removes and ends the token; later commands use the server of this machine again. */
export async function logout(command: { data?: string | undefined }): Promise<number> {
  const saved = readLogin(command.data);
  if (!saved) {
    process.stderr.write("You are not signed in at another server.\n");
    return 1;
  }
  rmSync(loginFile(command.data), { force: true });
  try {
    await ask(saved.url, "/api/sign-out", {}, saved.token);
  } catch (error) {
    process.stderr.write(
      `The token is removed from this machine, but ${saved.url} could not be told: ${plain((error as Error).message)}\n`,
    );
    return 1;
  }
  process.stdout.write(`Signed out at ${saved.url}.\n`);
  return 0;
}

/** Saves a login in a file that only its owner can read, and replaces it atomically, so that no token is cut off. */
function saveLogin(data: string | undefined, saved: { url: string; token: string }): void {
  const path = loginFile(data);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, `${JSON.stringify(saved)}\n`, { mode: 0o600, flush: true });
  // A file that was there before keeps its mode.
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}
