import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { readRegistryConfig } from "./registry-config.ts";
import { agentFor } from "./registry-proxy.ts";

/**
 * Maximum size of a response in bytes: that for a project with hundreds of outdated packages is a
 * hundredth of it.
 */
const ANSWER_LIMIT = 8 * 1024 * 1024;

/**
 * Queries this machine's package registry for advisories, like `npm audit`. Sandboxes cannot do so, because they only
 * have read access. Scoped packages with a registry of their own are left out, because their names are private.
 * @param packages names with their versions
 * @returns the parsed answer, or undefined if the registry gave none
 */
export async function askAdvisories(
  env: Record<string, string | undefined>,
  packages: Readonly<Record<string, readonly string[]>>,
  signal: AbortSignal,
): Promise<unknown> {
  const registry = readRegistryConfig(env);
  const { url, authorization, proxies, ca, scopes } = registry;
  const own = new Set(scopes.map(({ scope }) => scope.toLowerCase()));
  const asked = Object.entries(packages).filter(
    ([name]) => !own.has(name.split("/")[0]!.toLowerCase()),
  );
  const body = JSON.stringify(Object.fromEntries(asked));
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  const agent = agentFor(registry, { proxies, ca });
  return new Promise<unknown>((resolve) => {
    const none = () => resolve(undefined);
    const request = send(new URL("-/npm/v1/security/advisories/bulk", url), {
      method: "POST",
      agent,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...(authorization !== undefined && { authorization }),
      },
      signal,
    });
    request.on("error", none);
    request.on("response", (response) => {
      response.on("error", none);
      if (response.statusCode !== 200) {
        response.destroy();
        return none();
      }
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        if (text.length > ANSWER_LIMIT) response.destroy(new Error("It is too long."));
      });
      response.on("end", () => resolve(parsed(text)));
    });
    request.end(body);
  }).finally(() => agent.destroy());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
