import type { ExternalIdentity, GroupRule, IdentityProvider } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

export const IDENTITIES_KEY = ["me", "identities"] as const;
export const PROVIDER_KEY = ["identity-provider"] as const;

/** The person's accounts at the identity provider, and the provider's name; undefined if none is configured. */
export const readIdentities = (signal?: AbortSignal) =>
  getJson<{ provider?: string; identities: ExternalIdentity[] }>("/api/me/identities", signal);
/** Begins to connect an account. Resolves with the provider's address, where the person confirms it. */
export const connectIdentity = () =>
  sendJson<{ address: string }>("POST", "/api/me/identities", {});
export const disconnectIdentity = (id: string) =>
  sendJson("DELETE", `/api/me/identities/${encodeURIComponent(id)}`);

export const readProvider = (signal?: AbortSignal) =>
  getJson<{ provider?: IdentityProvider; identities: ExternalIdentity[] }>(
    "/api/identity-provider",
    signal,
  );
export const setRules = (rules: readonly GroupRule[]) =>
  sendJson("PUT", "/api/identity-provider/rules", { rules });
