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

/** How often an open project of a team asks for the person's role, which may change at any time, in milliseconds. */
const ROLE_POLL_MS = 10_000;

/** Who is signed in. Asked again after a failure, because the page offers every action until this is known. */
export const meQuery = {
  queryKey: ME_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => getJson<Me>("/api/me", signal),
  staleTime: 60_000,
  refetchInterval: ({ state }: { state: { error: unknown } }) =>
    state.error !== null && ROLE_POLL_MS,
};

export const prefetchMe = (client: QueryClient) => client.prefetchQuery(meQuery);

export const refreshMe = (client: QueryClient) => client.invalidateQueries({ queryKey: ME_KEY });

/** The person who is signed in; undefined until known. */
export const useMe = (): Me | undefined => useQuery(meQuery).data;

/**
 * Whether the person may do something on the server. True until that is known; the server checks every request anyway.
 */
export function useMayOnServer(action: string): boolean {
  const me = useMe();
  return me === undefined || me.actions.includes(action);
}

/**
 * Whether the person may do something in the project. Without accounts they may do everything, and the server is not
 * asked. After a failed request everything is offered; the server checks every request anyway.
 * @returns a function from an action to whether it is allowed; undefined until that is known
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
  // The server checks every request anyway.
  return (me && !isTeam) || error || unknown ? () => true : undefined;
}

/** Changes the person's name or mail address. @param change `email` only if they have no address yet */
export const changeMe = (change: { name?: string; email?: string }) =>
  sendJson("PATCH", "/api/me", change);
export const signOut = () => sendJson("POST", "/api/sign-out", {});

const itemPath = (list: string, id: string) => `/api/me/${list}/${encodeURIComponent(id)}`;

export const readSignIns = (signal?: AbortSignal) =>
  getJson<{ methods: SignInMethod[] }>("/api/me/sign-ins", signal);
export const removeSignIn = (id: string) => sendJson("DELETE", itemPath("sign-ins", id));
/** Sets a password. @param current the current password; not needed shortly after signing in */
export const setPassword = (password: string, current?: string) =>
  sendJson("PUT", "/api/me/password", { password, current });
/** Begins to set up an authenticator app. */
export const beginCode = () =>
  sendJson<{ secret: string; address: string }>("POST", "/api/me/code", {});
/** Confirms the authenticator app. @returns recovery codes, which the server returns only this once */
export const confirmCode = (code: string) =>
  sendJson<{ recoveryCodes: string[] }>("PUT", "/api/me/code", { code });
/** Replaces the recovery codes. */
export const renewRecoveryCodes = () =>
  sendJson<{ recoveryCodes: string[] }>("POST", "/api/me/recovery-codes", {});

/** Begins to add a passkey. Resolves with the options that the browser passes to the device. */
export const beginPasskey = () =>
  sendJson<{ options: PublicKeyCredentialCreationOptionsJSON }>(
    "POST",
    "/api/me/passkeys/options",
    {},
  );
export const addPasskey = (name: string, response: RegistrationResponseJSON) =>
  sendJson("POST", "/api/me/passkeys", { name, response });

export const renamePasskey = (id: string, name: string) =>
  sendJson("PATCH", itemPath("passkeys", id), { name });

export const SIGN_IN_RULES_KEY = ["sign-in-rules"] as const;
export const readSignInRules = (signal?: AbortSignal) =>
  getJson<SignInRules>("/api/sign-in-rules", signal);
export const setSignInRules = (rules: SignInRules) => sendJson("PUT", "/api/sign-in-rules", rules);

export const readSessions = (signal?: AbortSignal) =>
  getJson<{ sessions: BrowserSession[] }>("/api/me/sessions", signal);
export const endSession = (id: string) => sendJson("DELETE", itemPath("sessions", id));

/** Describes the sign-in that a program asks for with the code that it shows. */
export const describeDevice = (code: string) =>
  sendJson<DeviceRequest>("POST", "/api/me/devices/describe", { code });
export const answerDevice = (code: string, allow: boolean) =>
  sendJson("POST", "/api/me/devices", { code, allow });

export const readTokens = (signal?: AbortSignal) =>
  getJson<{ tokens: ApiToken[] }>("/api/me/tokens", signal);
/** Creates an API token, which the server returns only this once. */
export const createToken = (token: { name: string; scopes: Scope[]; days?: number | undefined }) =>
  sendJson<{ id: string; token: string }>("POST", "/api/me/tokens", token);
export const revokeToken = (id: string) => sendJson("DELETE", itemPath("tokens", id));
