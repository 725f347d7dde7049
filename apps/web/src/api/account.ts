import { useQuery, type QueryClient } from "@tanstack/react-query";
import type {
  ApiToken,
  BrowserSession,
  DeviceRequest,
  Me,
  ProjectAccess,
  Scope,
  SignInMethod,
  SignInRules,
} from "@treadle/protocol";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";
import { getJson, sendJson } from "./request.ts";

const ME_KEY = ["me"] as const;
const accessKey = (project: string) => ["me", "access", project] as const;

/** A role changes without notice, so an open project of a team asks again this often, in milliseconds. */
const ROLE_POLL_MS = 10_000;

/** Until it is answered a page offers everything, so a failure is asked again, as often as a role. */
export const meQuery = {
  queryKey: ME_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => getJson<Me>("/api/me", signal),
  staleTime: 60_000,
  refetchInterval: ({ state }: { state: { error: unknown } }) =>
    state.error !== null && ROLE_POLL_MS,
};

export const prefetchMe = (client: QueryClient) => client.prefetchQuery(meQuery);

export const refreshMe = (client: QueryClient) => client.invalidateQueries({ queryKey: ME_KEY });

/** Who is signed in; undefined until that is known. */
export const useMe = (): Me | undefined => useQuery(meQuery).data;

/** Whether the person may do something on the server. Until that is known they may, because the server decides. */
export function useMayOnServer(action: string): boolean {
  const me = useMe();
  return me === undefined || me.actions.includes(action);
}

/**
 * Whether the person may do something in the project. Without accounts everything is theirs, and nothing is asked.
 * @returns undefined until that is known
 */
export function useProjectAccess(project: string): ((action: string) => boolean) | undefined {
  const { data: me, error: unknown } = useQuery(meQuery);
  const isTeam = me?.accounts === true;
  const { data, error } = useQuery({
    queryKey: accessKey(project),
    queryFn: ({ signal }) =>
      getJson<ProjectAccess>(`/api/projects/${encodeURIComponent(project)}/access`, signal),
    enabled: isTeam,
    refetchInterval: ROLE_POLL_MS,
  });
  if (data) return (action) => data.actions.includes(action);
  // The server decides in any case.
  return (me && !isTeam) || error || unknown ? () => true : undefined;
}

/** @param change an address can only be given to a person without one */
export const changeMe = (change: { name?: string; email?: string }) =>
  sendJson("PATCH", "/api/me", change);
export const signOut = () => sendJson("POST", "/api/sign-out", {});

const itemPath = (list: string, id: string) => `/api/me/${list}/${encodeURIComponent(id)}`;

export const readSignIns = (signal?: AbortSignal) =>
  getJson<{ methods: SignInMethod[] }>("/api/me/sign-ins", signal);
export const removeSignIn = (id: string) => sendJson("DELETE", itemPath("sign-ins", id));
/** @param current the present password; not needed in a session that has only begun */
export const setPassword = (password: string, current?: string) =>
  sendJson("PUT", "/api/me/password", { password, current });
/** Begins to set up an authenticator app. */
export const beginCode = () =>
  sendJson<{ secret: string; address: string }>("POST", "/api/me/code", {});
/** @returns recovery codes; the answer is the only one that holds them */
export const confirmCode = (code: string) =>
  sendJson<{ recoveryCodes: string[] }>("PUT", "/api/me/code", { code });
/** Replaces the recovery codes. */
export const renewRecoveryCodes = () =>
  sendJson<{ recoveryCodes: string[] }>("POST", "/api/me/recovery-codes", {});

/** Begins to add a passkey: what the browser asks the device. */
export const beginPasskey = () =>
  sendJson<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    "POST",
    "/api/me/passkeys/options",
    {},
  );
export const addPasskey = (name: string, response: RegistrationResponseJSON) =>
  sendJson("POST", "/api/me/passkeys", { name, response });

export const SIGN_IN_RULES_KEY = ["sign-in-rules"] as const;
export const readSignInRules = (signal?: AbortSignal) =>
  getJson<SignInRules>("/api/sign-in-rules", signal);
export const setSignInRules = (rules: SignInRules) => sendJson("PUT", "/api/sign-in-rules", rules);

export const readSessions = (signal?: AbortSignal) =>
  getJson<{ sessions: BrowserSession[] }>("/api/me/sessions", signal);
export const endSession = (id: string) => sendJson("DELETE", itemPath("sessions", id));

/** Who asks for what with a code that a program shows. */
export const describeDevice = (code: string) =>
  sendJson<DeviceRequest>("POST", "/api/me/devices/describe", { code });
export const answerDevice = (code: string, allow: boolean) =>
  sendJson("POST", "/api/me/devices", { code, allow });

export const readTokens = (signal?: AbortSignal) =>
  getJson<{ tokens: ApiToken[] }>("/api/me/tokens", signal);
/** Creates an API token; the answer is the only one that holds it. */
export const createToken = (token: { name: string; scopes: Scope[]; days?: number | undefined }) =>
  sendJson<{ id: string; token: string }>("POST", "/api/me/tokens", token);
export const revokeToken = (id: string) => sendJson("DELETE", itemPath("tokens", id));
