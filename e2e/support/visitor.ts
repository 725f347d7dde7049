import { request } from "node:https";
import { text } from "node:stream/consumers";

/** What somebody elsewhere uses instead of a browser: it keeps cookies and follows redirects. */
export interface Visitor {
  get(address: string): Promise<Answer>;
  post(address: string, json: unknown): Promise<Answer>;
}

interface Answer {
  status: number;
  text: string;
}

/** Redirects that are followed at most. */
const REDIRECTS = 10;

/**
 * A visitor to whom every name leads to one https port of this machine.
 * @param at.authority the certificate, as PEM, of the only authority that the visitor trusts
 */
export function browseAt(at: { port: number; authority: string }): Visitor {
  /** Cookies by host. */
  const cookies = new Map<string, Map<string, string>>();
  async function ask(address: string, body: string | undefined, left: number): Promise<Answer> {
    const { host, hostname, origin, pathname, search } = new URL(address);
    const own = cookies.get(host) ?? new Map<string, string>();
    cookies.set(host, own);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const asked = request(
      {
        host: "127.0.0.1",
        port: at.port,
        servername: hostname,
        ca: at.authority,
        agent: false,
        method: body === undefined ? "GET" : "POST",
        path: pathname + search,
        headers: {
          host,
          cookie: [...own].map(([name, value]) => `${name}=${value}`).join("; "),
          ...(body !== undefined && { origin, "content-type": "application/json" }),
        },
      },
      (answer) => {
        for (const cookie of answer.headers["set-cookie"] ?? []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          if (name !== undefined) own.set(name, value ?? "");
        }
        const { location } = answer.headers;
        if (location !== undefined && left > 0) {
          answer.resume();
          resolve(ask(new URL(location, address).href, undefined, left - 1));
        } else
          void text(answer).then(
            (body) => resolve({ status: answer.statusCode!, text: body }),
            reject,
          );
      },
    );
    asked.on("error", reject).end(body);
    return promise;
  }
  return {
    get: (address) => ask(address, undefined, REDIRECTS),
    post: (address, json) => ask(address, JSON.stringify(json), 0),
  };
}
