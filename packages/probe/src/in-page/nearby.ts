type Sources = { src?: unknown; href?: unknown; action?: unknown };

/**
 * Redirects requests to `localhost` with a port, or to the page's own host with another port, to
 * the preview of that port; also in frames. In a person's browser `localhost` is the person's own
 * machine, without the sandbox's ports.
 * @param port the page's own port
 */
export function reachNearby(port: string | undefined): void {
  const { hostname, protocol } = location;
  const nearby = <Address>(address: Address): Address | string => {
    const url = URL.parse(String(address), document.baseURI);
    if (!url || !/^(https?|wss?):$/.test(url.protocol)) return address;
    const isNearby =
      url.hostname === hostname
        ? url.port !== location.port
        : /^(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)$/.test(url.hostname);
    if (!isNearby) return address;
    const asked = url.port || (/[ps]s:/.test(url.protocol) ? "443" : "80");
    const other = hostname.replace(/^([^.-]+)(--\d+)?/, `$1--${asked}`);
    const host = asked === port ? location.host : other + (location.port && `:${location.port}`);
    const scheme = protocol.replace("http", url.protocol.startsWith("w") ? "ws" : "http");
    return `${scheme}//${host}${url.pathname}${url.search}${url.hash}`;
  };

  const { fetch } = window;
  window.fetch = function (this: unknown, input, ...rest) {
    const address = input instanceof Request ? input.url : input;
    const there = nearby(address);
    const moved = input instanceof Request ? () => new Request(there, input) : () => there;
    return Reflect.apply(fetch, this, [there === address ? input : moved(), ...rest]);
  };
  const requests = XMLHttpRequest.prototype;
  const { open } = requests;
  requests.open = function (this: XMLHttpRequest, method: string, url: string | URL, ...rest: []) {
    return Reflect.apply(open, this, [method, nearby(url), ...rest]);
  };
  const construct = (Type: typeof WebSocket, [address, ...rest]: unknown[], target: () => void) =>
    Reflect.construct(Type, [nearby(address), ...rest], target);
  for (const name of ["WebSocket", "EventSource"] as const)
    Object.assign(window, {
      [name]: new Proxy(window[name], { construct } as ProxyHandler<never>),
    });
  const beacon = navigator.sendBeacon;
  navigator.sendBeacon = function (this: Navigator, url, ...rest) {
    return Reflect.apply(beacon, this, [nearby(url), ...rest]);
  };

  const turn = (element: unknown, key: keyof Sources) => {
    const holder = element as Sources | undefined;
    const address = holder?.[key];
    if (!holder || typeof address !== "string" || !address) return;
    const there = nearby(address);
    if (there !== address) holder[key] = there;
  };
  const turnSource = ({ target }: Event) => {
    if (/^(IMG|VIDEO|AUDIO|SOURCE)$/.test((target as Element).tagName)) turn(target, "src");
  };
  window.addEventListener("error", turnSource, true);
  const isLink = (target: EventTarget) => (target as Element).tagName === "A";
  window.addEventListener(
    "click",
    (event) => turn(event.composedPath().find(isLink), "href"),
    true,
  );
  window.addEventListener("submit", ({ target }) => turn(target, "action"), true);
}
