/** The proxies that this machine itself uses; logins in them never enter a sandbox. */
export interface UpstreamProxies {
  /** For HTTP. */
  http?: URL;
  /** For HTTPS and all tunnels. */
  https?: URL;
  /**
   * Hosts that are reached directly, as in `NO_PROXY`: `a.com` with everything below, `.a.com`,
   * `a.com:8080`, `*`.
   */
  except: readonly string[];
}

export const NO_PROXIES: UpstreamProxies = { except: [] };

/**
 * Reads the proxies that this machine is configured with.
 * @param settings npm's, which have precedence (`https-proxy`, `proxy`, `noproxy`)
 * @param env `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in either case
 */
export function readUpstreamProxies(
  settings: Record<string, string>,
  env: Record<string, string | undefined>,
): UpstreamProxies {
  const variable = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const http = readProxy(settings.proxy ?? variable("HTTP_PROXY") ?? variable("ALL_PROXY"));
  const https =
    readProxy(settings["https-proxy"] ?? variable("HTTPS_PROXY") ?? variable("ALL_PROXY")) ?? http;
  const except = (settings.noproxy ?? settings["no-proxy"] ?? variable("NO_PROXY") ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return { http, https, except };
}

/** The proxy for a host, or undefined if it is reached directly. */
export function proxyFor(
  { host, port, secure }: { host: string; port: number; secure: boolean },
  proxies: UpstreamProxies,
): URL | undefined {
  const proxy = secure ? proxies.https : proxies.http;
  if (!proxy) return undefined;
  const name = host.toLowerCase().replace(/\.$/, "");
  const excepted = proxies.except.some((entry) => {
    if (entry === "*") return true;
    const [, bare = "", digits] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
    if (digits !== undefined && Number(digits) !== port) return false;
    return name === bare || name.endsWith(`.${bare}`);
  });
  return excepted ? undefined : proxy;
}

/** The value of `Proxy-Authorization` for the credentials in a proxy's address. */
export function proxyLogin(proxy: URL): string | undefined {
  if (proxy.username === "") return undefined;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return `Basic ${Buffer.from(login).toString("base64")}`;
}

function readProxy(text: string | undefined): URL | undefined {
  if (text === undefined || text === "null" || text === "false") return undefined;
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}
