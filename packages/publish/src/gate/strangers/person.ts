import type { Answer, Send } from "./ask.ts";

/** A visitor with a separate browser, which stores cookies and sends an origin. */
export interface Person {
  get(path: string): Promise<Answer | undefined>;
  send(method: string, path: string, body: Body): Promise<Answer | undefined>;
  /** Whether the visitor received anything that identifies it, such as a session cookie. */
  isKnown(): boolean;
  /** The cookies as they were set, by the path that set them last. */
  given(): ReadonlyMap<string, readonly string[]>;
  /** Sends the token in `Authorization` from now on. */
  carry(token: string): void;
}

export interface Body {
  as: "json" | "form";
  fields: Record<string, string | number | boolean>;
}

/** Cookies that do not identify a user, such as CSRF tokens. */
const NO_SESSION = /csrf|xsrf|consent|lang|locale|theme/i;

/**
 * @param address the client address that a proxy would report
 * @param protocol the protocol that it would report; cookies restricted to `https` are only sent
 * with it
 */
export function createPerson(send: Send, address: string, protocol: "http" | "https"): Person {
  const jar = new Map<string, string>();
  const set = new Map<string, readonly string[]>();
  let token: string | undefined;

  async function ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Answer | undefined> {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await send(path, {
      method,
      headers: {
        "x-forwarded-for": address,
        "x-forwarded-proto": protocol,
        "x-forwarded-host": "localhost",
        ...(cookies !== "" && { cookie: cookies }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body,
    });
    const lines = answer?.headers["set-cookie"];
    if (lines) set.set(path, lines);
    for (const line of lines ?? []) {
      const [, name = "", value = ""] = /^\s*([^=;]{1,200})=([^;]{0,4000})/.exec(line) ?? [];
      if (name === "") continue;
      if (value === "" || /;\s*max-age=(?:0|-)/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  return {
    get: (path) => ask("GET", path, {}),
    send(method, path, { as, fields }) {
      const origin = `${protocol}://localhost`;
      const body =
        as === "json"
          ? JSON.stringify(fields)
          : new URLSearchParams(
              Object.entries(fields).map(([name, value]): [string, string] => [name, `${value}`]),
            ).toString();
      return ask(
        method,
        path,
        {
          origin,
          referer: `${origin}/`,
          "sec-fetch-site": "same-origin",
          "content-type": as === "json" ? "application/json" : "application/x-www-form-urlencoded",
        },
        body,
      );
    },
    isKnown: () => token !== undefined || [...jar.keys()].some((name) => !NO_SESSION.test(name)),
    given: () => set,
    carry: (given) => (token = given),
  };
}
