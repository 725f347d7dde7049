/**
 * The first part of the probe, also in frames: redirects requests to `localhost` with a port, or to
 * the page's own host with another port, to the preview of that port. In a person's browser
 * `localhost` is the person's own machine, without the sandbox's ports. The script element states
 * the page's own port.
 */
export const NEARBY = String.raw`
  const own = location.hostname, me = d.currentScript, port = me && me.dataset.port;
  const near = (u) => {
    const x = URL.parse(u, d.baseURI);
    if (!x || !/^(https?|wss?):$/.test(x.protocol)) return u;
    const p = x.port || (/[ps]s:/.test(x.protocol) ? 443 : 80);
    if (x.hostname == own ? x.port == location.port : !/^(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)$/.test(x.hostname)) return u;
    const host = p == port ? location.host : own.replace(/^([^.-]+)(--\d+)?/, "$1--" + p) + (location.port && ":" + location.port);
    return location.protocol.replace("http", x.protocol[0] == "w" ? "ws" : "http") + "//" + host + x.pathname + x.search + x.hash;
  };
  const plain = w.fetch;
  w.fetch = function (a, ...b) {
    const is = a instanceof Request, u = is ? a.url : a, n = near(u);
    return plain.call(this, n == u ? a : is ? new Request(n, a) : n, ...b);
  };
  const XP = XMLHttpRequest.prototype, opens = XP.open;
  XP.open = function (m, u, ...b) { return opens.call(this, m, near(u), ...b); };
  for (const name of ["WebSocket", "EventSource"]) w[name] = new Proxy(w[name], { construct: (T, [u, ...b], n) => Reflect.construct(T, [near(u), ...b], n) });
  const beacon = navigator.sendBeacon;
  navigator.sendBeacon = function (u, ...b) { return beacon.call(this, near(u), ...b); };
  const turn = (e, key) => { if (e && typeof e[key] == "string" && e[key] && near(e[key]) != e[key]) e[key] = near(e[key]); };
  w.addEventListener("error", (e) => { if (/^(IMG|VIDEO|AUDIO|SOURCE)$/.test(e.target.tagName)) turn(e.target, "src"); }, true);
  w.addEventListener("click", (e) => turn(e.composedPath().find((n) => n.tagName == "A"), "href"), true);
  w.addEventListener("submit", (e) => turn(e.target, "action"), true);
`;
