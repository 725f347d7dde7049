import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isOwnHost, type PublicAddress, readRequestTarget, sameToken, type TrustedProxies } from "@treadle/common"; // prettier-ignore

const PATH = "/published-domain";

/** Tells a web server in front of Treadle for which domains it may request certificates. */
export interface Certificates {
  /** A Caddyfile that directs every published domain here, with a certificate for each. */
  caddyfile(): string;
  /** Whether a request is the question configured in the Caddyfile. */
  handles(request: IncomingMessage): boolean;
  /** Answers that question: 200 for a domain of a published app, else 404. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Caddy sends only a URL, so the URL contains the credential. It is derived from the token without
 * revealing it, and valid for this question only.
 */
export function createCertificates(options: {
  token: string;
  port(): number | undefined;
  /** Where people on other machines reach the server, and by which web servers in front. */
  people?: PublicAddress | undefined;
  proxies?: TrustedProxies;
  isServed(domain: string): boolean;
}): Certificates {
  /** Whether a web server in front of Treadle sends a request of its own, and does not forward a visitor's. */
  const isOfProxy = ({ headers, socket }: IncomingMessage) =>
    options.people !== undefined &&
    headers["x-forwarded-for"] === undefined &&
    options.proxies?.has(socket.remoteAddress) === true;
  const key = createHmac("sha256", options.token).update("published domains").digest("base64url");
  return {
    caddyfile() {
      const here = `127.0.0.1:${options.port() ?? 4173}`;
      return `{
	# Asked before a certificate is fetched: only for what is published. The key is good for this question alone.
	on_demand_tls {
		ask http://${here}${PATH}?key=${key}
	}
}

https:// {
	tls {
		on_demand
	}
	reverse_proxy ${here} {
		# The name that the certificate is for, and no other: nothing else that listens there is asked for.
		header_up Host {http.request.tls.server_name}
	}
}
`;
    },
    handles: (request) =>
      readRequestTarget(request.url)?.path === PATH &&
      (isOwnHost(request.headers.host ?? "", options.port()) || isOfProxy(request)),
    handle(request, response) {
      const searchParams = new URLSearchParams(readRequestTarget(request.url)?.query);
      const mayAsk =
        request.method === "GET" &&
        request.headers.origin === undefined &&
        (isOfProxy(request) || sameToken(searchParams.get("key") ?? undefined, key));
      const status = mayAsk
        ? options.isServed(searchParams.get("domain") ?? "")
          ? 200
          : 404
        : 401;
      response.writeHead(status, { "cache-control": "no-store" }).end();
    },
  };
}
