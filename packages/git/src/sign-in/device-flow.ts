import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { askForge, type ForgeAnswer } from "../forges/ask-forge.ts";
import { failureOfForge, FORGE, isGood, oddAnswer } from "../forges/forge-client.ts";
import { recognizeServer } from "../forges/recognize-forge.ts";
import type { Fields } from "../forges/types.ts";
import type { DeviceEvent, DeviceGrant, IssuedToken } from "./device-lifecycle.ts";

/**
 * Seconds between two requests if the server names none (RFC 8628, section 3.2), and the minimum.
 */
const INTERVAL_S = 5;
const SHORTEST_INTERVAL_S = 1;
/** Maximum lifetime of a code, in seconds. */
const LONGEST_S = 60 * 60;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** A server on which people can sign in, with the id under which the operator registered Treadle there. */
export interface DeviceClient {
  /** Base address of its pages. */
  server: string;
  clientId: string;
}

/** Endpoints of a server's device flow. */
export interface DeviceEndpoints {
  code: string;
  token: string;
  scope: string;
  /** The user name with which git sends the token. */
  user: string;
}

/**
 * Finds the endpoints of a server's device flow: GitHub and GitLab document theirs; another names it in its metadata
 * (RFC 8414).
 * @throws ApiFailure `git-no-device-flow` if it has none
 */
export async function findEndpoints(server: string): Promise<DeviceEndpoints> {
  // The operator configured this server, so it may be on this machine's network.
  const found = await recognizeServer(server, true);
  const none = new ApiFailure(409, "git-no-device-flow", sentence("git-no-device-flow", { host: new URL(server).host })); // prettier-ignore
  if (!found) throw none;
  const { deviceFlow, scope, user } = FORGE[found.kind];
  const common = { scope, user: user() };
  if (deviceFlow)
    return { code: server + deviceFlow.code, token: server + deviceFlow.token, ...common };
  for (const name of ["openid-configuration", "oauth-authorization-server"]) {
    const url = `${server}/.well-known/${name}`;
    const { body } = await askForge({ method: "GET", url, local: true });
    const { device_authorization_endpoint: code, token_endpoint: token } = (body ?? {}) as Fields;
    if (isBelow(server, code) && isBelow(server, token)) return { code, token, ...common };
  }
  throw none;
}

const isBelow = (server: string, address: unknown): address is string =>
  typeof address === "string" && URL.parse(address)?.origin === new URL(server).origin;

/** Requests a code (RFC 8628, section 3.1). @throws ApiFailure as `failureOfForge` */
export async function requestCode(
  { server, clientId }: DeviceClient,
  { code, scope }: DeviceEndpoints,
  now: number,
): Promise<{ grant: DeviceGrant; intervalMs: number }> {
  const { host } = new URL(server);
  const body = new URLSearchParams({ client_id: clientId, scope });
  const answer = await askForge({ method: "POST", url: code, body, local: true });
  const fields = (answer.body ?? {}) as Fields;
  if (!isGood(answer) || "error" in fields) throw refusal(answer, host);
  const { device_code: deviceCode, user_code: userCode, verification_uri: uri } = fields;
  const verification = typeof uri === "string" ? URL.parse(uri) : null;
  if (
    typeof deviceCode !== "string" ||
    typeof userCode !== "string" ||
    !/^[\w -]{1,40}$/.test(userCode) ||
    // The person signs in there, so it is a page of the same server.
    verification?.origin !== new URL(server).origin
  )
    throw oddAnswer(host);
  const seconds = Math.min(Number(fields["expires_in"]) || LONGEST_S, LONGEST_S);
  const interval = Math.max(Number(fields["interval"] ?? INTERVAL_S) || 0, SHORTEST_INTERVAL_S);
  return {
    grant: {
      deviceCode,
      userCode,
      verificationUri: verification.href,
      until: now + seconds * 1000,
    },
    intervalMs: interval * 1000,
  };
}

/** Requests the token once (RFC 8628, sections 3.4 and 3.5). Never rejects: a failure is returned as an event. */
export async function pollToken(
  { server, clientId }: DeviceClient,
  { token }: DeviceEndpoints,
  { deviceCode }: DeviceGrant,
  now: () => number,
): Promise<DeviceEvent> {
  const body = new URLSearchParams({ client_id: clientId, device_code: deviceCode, grant_type: DEVICE_GRANT }); // prettier-ignore
  let answer: ForgeAnswer;
  try {
    answer = await askForge({ method: "POST", url: token, body, local: true });
  } catch (error) {
    return error instanceof ApiFailure && error.code === "git-unreachable"
      ? { type: "unreachable" }
      : { type: "failed", error };
  }
  const issued = readToken(answer, now());
  if (issued) return { type: "issued", token: issued };
  // GitHub answers an error with status 200, too.
  switch (((answer.body ?? {}) as Fields)["error"]) {
    case "authorization_pending":
      return { type: "pending" };
    case "slow_down":
      return { type: "slow-down" };
    case "access_denied":
      return { type: "denied" };
    case "expired_token":
      return { type: "expired" };
    default:
      if (answer.status >= 500) return { type: "unreachable" };
      return { type: "failed", error: refusal(answer, new URL(server).host) };
  }
}

/** Renews a token (RFC 6749, section 6). @returns undefined if the server refuses: the person has to sign in again */
export async function renewToken(
  {
    clientId,
    endpoint,
    refreshToken,
  }: { clientId: string; endpoint: string; refreshToken: string },
  now: number,
): Promise<IssuedToken | undefined> {
  const body = new URLSearchParams({ client_id: clientId, grant_type: "refresh_token", refresh_token: refreshToken }); // prettier-ignore
  return readToken(await askForge({ method: "POST", url: endpoint, body, local: true }), now);
}

function readToken({ body }: ForgeAnswer, now: number): IssuedToken | undefined {
  const { access_token: token, expires_in: seconds, refresh_token: refreshToken } = (body ?? {}) as Fields; // prettier-ignore
  if (typeof token !== "string" || token === "") return undefined;
  return {
    token,
    until: typeof seconds === "number" ? now + seconds * 1000 : undefined,
    refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
  };
}

/** The failure of a refused request. An unknown client id can only be fixed by the operator. */
const refusal = (answer: ForgeAnswer, host: string) =>
  answer.status === 401 || answer.status === 404 || ((answer.body ?? {}) as Fields)["error"] === "invalid_client" // prettier-ignore
    ? new ApiFailure(502, "git-client", sentence("git-client-unknown", { host }))
    : failureOfForge({ ...answer, status: Math.max(answer.status, 400) }, host);
