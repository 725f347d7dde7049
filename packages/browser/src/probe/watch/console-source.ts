/**
 * Reports what the page prints and throws, at most 200 entries at a time; further ones are only
 * counted. Stacks are sent unchanged; positions in the project's files are resolved when somebody
 * looks.
 */
export const CONSOLE = String.raw`
  let printed = [], dropped = 0, telling = 0;
  const flush = () => {
    telling = 0;
    say("console", { entries: printed.splice(0), dropped });
    dropped = 0;
  };
  const print = (level, text, stack) => {
    if (printed.length < 200) printed.push({ level, text: cut(text), stack: cut(stack || "", 1500), at: Date.now() });
    else dropped++;
    telling ||= soon(flush, 60);
  };
  // Like browser consoles: three levels, twenty entries each.
  const form = (x, depth = 0) => {
    try {
      if (typeof x == "string") return depth ? JSON.stringify(x) : x;
      if (typeof x == "function") return "ƒ " + x.name + "()";
      if (x === null || typeof x != "object") return typeof x == "bigint" ? x + "n" : String(x);
      if (x instanceof Error) return x.stack && x.stack.includes(x.message) ? depth ? x.name + ": " + x.message : x.stack : x.name + ": " + x.message + "\n" + (x.stack || "");
      if (x instanceof Element) return x.cloneNode().outerHTML;
      if (depth > 2) return Array.isArray(x) ? "[…]" : "{…}";
      if (Array.isArray(x)) return "[" + x.slice(0, 20).map((y) => form(y, depth + 1)).join(", ") + (x.length > 20 ? ", … " + (x.length - 20) + " more" : "") + "]";
      if (x instanceof Date) return x.toISOString();
      if (x instanceof Map || x instanceof Set) return x.constructor.name + "(" + x.size + ") " + form([...x].slice(0, 20), depth + 1);
      const keys = Object.keys(x), kind = x.constructor && x.constructor !== Object ? x.constructor.name + " " : "";
      return kind + "{" + keys.slice(0, 20).map((k) => k + ": " + form(x[k], depth + 1)).join(", ") + (keys.length > 20 ? ", …" : "") + "}";
    } catch { return "?"; }
  };
  const words = (a) => {
    const rest = [...a];
    const first = typeof a[0] == "string" ? rest.shift().replace(/%[sdifoOc%]/g, (p) => { if (p == "%%") return "%"; if (!rest.length) return p; const x = rest.shift(); return p == "%c" ? "" : form(x); }) : undefined;
    return (first === undefined ? rest : [first, ...rest]).map((x) => form(x)).join(" ");
  };
  for (const level of ["debug", "log", "info", "warn", "error"]) {
    const was = console[level];
    console[level] = function (...a) {
      try {
        const thrown = a.find((x) => x instanceof Error);
        print(level, words(a), (thrown && thrown.stack) || Error().stack);
      } catch {}
      return was.apply(this, a);
    };
  }
  const assert = console.assert;
  console.assert = function (ok, ...a) {
    if (!ok) print("error", "Assertion failed: " + words(a), Error().stack);
    return assert.apply(this, arguments);
  };
  w.addEventListener("error", (e) => {
    if (e.target !== w || !e.message || /^ResizeObserver loop/.test(e.message)) return;
    print("error", "Uncaught " + (e.error ? form(e.error).split("\n")[0] : e.message), e.filename + ":" + e.lineno + ":" + e.colno + "\n" + (e.error && e.error.stack || ""));
  });
  w.addEventListener("unhandledrejection", (e) => print("error", "Uncaught (in promise) " + form(e.reason).split("\n")[0], e.reason && e.reason.stack));
`;
