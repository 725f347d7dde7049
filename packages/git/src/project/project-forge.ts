import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { readGitAddress } from "../address.ts";
import { type ForgeClient, forgeClient } from "../forges/forge-client.ts";
import { recognizeForge } from "../forges/recognize-forge.ts";
import type { ForgePlace } from "../forges/types.ts";
import { loginHost } from "../git-logins.ts";
import { type GitState, keepGitState, readGitState } from "../git-state.ts";
import type { SyncParts } from "./git-project.ts";

/** The API of a project's repository, and a client with the stored token. */
export interface ProjectForge {
  place: ForgePlace;
  client: ForgeClient;
}

/** The host and port that a repository's API and pages are on; for ssh, those of https. */
export function forgeHost(url: string): string {
  const { host, port, kind } = readGitAddress(url);
  return loginHost({ host, port: kind === "ssh" ? 443 : port });
}

/**
 * Detects the API of the project's repository by its answers, and remembers it.
 * @throws ApiFailure `git-no-api` if it has none that Treadle supports
 */
export async function recognizePlace(parts: SyncParts, state: GitState): Promise<ForgePlace> {
  const { store, runtime } = parts;
  if (state.forge !== undefined && state.forge !== "none") return state.forge;
  const address = readGitAddress(state.url);
  const found = await recognizeForge(address, state.local);
  const current = await readGitState(store, runtime.id);
  if (current?.url === state.url)
    await keepGitState(store, runtime.id, { ...current, forge: found ?? "none" });
  if (found) return found;
  throw new ApiFailure(409, "git-no-api", sentence("git-no-api", { host: address.host }));
}

/** The API of the project's repository and a client. @throws ApiFailure `git-no-api`, or `git-login` without a token */
export async function openForge(parts: SyncParts, state: GitState): Promise<ProjectForge> {
  const place = await recognizePlace(parts, state);
  const login = await parts.logins.read(forgeHost(state.url));
  if (!login)
    throw new ApiFailure(409, "git-login", sentence("git-no-token", { host: new URL(place.web).host })); // prettier-ignore
  return { place, client: forgeClient(place, { token: login.password, local: state.local }) };
}
