import { cut } from "./text.ts";

/** The problems of a page since its last hot update, and its current activity. */
export interface Observed {
  uncaughtErrors: object[];
  consoleErrors: object[];
  failedRequests: object[];
  /** Number of active requests. */
  busy: number;
  /** When the page changed last, as `performance.now` counts. */
  moved: number;
}

/** Maximum number of problems of one kind. */
const MOST = 10;

function show(value: unknown): string {
  try {
    if (value instanceof Error) return value.stack || value.message;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  } catch {
    return "?";
  }
}

/** The text of a console message, with its placeholders filled in. */
function printedText(values: readonly unknown[]): string {
  const rest = [...values];
  const fill = (placeholder: string) => {
    const value = rest.shift();
    return placeholder === "%c" ? "" : show(value);
  };
  const first =
    typeof values[0] === "string" ? String(rest.shift()).replace(/%[sdifoOc]/g, fill) : "";
  return [first, ...rest.map(show)].join(" ").trim();
}

function problemOf(thrown: unknown, message = "", source?: string | false) {
  const { name, message: text, stack } = (thrown ?? {}) as Partial<Error>;
  return {
    message: cut(message || (text ? `${name}: ${text}` : show(thrown)), 600),
    source,
    stack: stack ? cut(stack, 1500) : undefined,
  };
}

/**
 * Observes errors, failed requests and hot updates. Wraps as little as possible, and never throws
 * into the page.
 * @param on.problem called for each new problem
 * @param on.hot called when a dev server is connected for hot updates
 * @param on.updated called for each hot update, which resets earlier problems
 */
export function observeProblems(on: { problem(): void; hot(): void; updated(): void }): Observed {
  const observed: Observed = {
    uncaughtErrors: [],
    consoleErrors: [],
    failedRequests: [],
    busy: 0,
    moved: 0,
  };
  const add = (list: object[], problem: object) => {
    if (list.length >= MOST) return;
    list.push(problem);
    on.problem();
  };
  const addUncaught = (problem: object) => add(observed.uncaughtErrors, problem);
  const addFailed = (method: unknown, url: unknown, status: number, reason?: string) =>
    add(observed.failedRequests, { method: cut(method, 20), url: cut(url, 600), status, reason });

  const hearError = (event: ErrorEvent) => {
    const element = event.target as (HTMLImageElement & HTMLLinkElement) | Window | null;
    const address =
      element && element !== window && "tagName" in element && (element.src || element.href);
    if (address) return addFailed("GET", address, 0);
    const { error, message, filename, lineno, colno } = event;
    if (!message || message.startsWith("ResizeObserver loop")) return;
    const source = filename && `${filename}:${lineno}:${colno}`;
    addUncaught(problemOf(error, error ? "" : message, source));
  };
  window.addEventListener("error", hearError, true);
  window.addEventListener("unhandledrejection", ({ reason }) => addUncaught(problemOf(reason)));

  const { error: printError } = console;
  console.error = function (this: unknown, ...values) {
    add(observed.consoleErrors, { message: cut(printedText(values), 600) });
    return Reflect.apply(printError, this, values);
  };

  const { fetch } = window;
  const settle = () => {
    observed.busy--;
    observed.moved = performance.now();
  };
  window.fetch = function (this: unknown, ...given) {
    const [input, init] = given;
    const request = input as Partial<Request> | undefined;
    const method = (init || request || {}).method || "GET";
    observed.busy++;
    return Reflect.apply(fetch, this, given).then(
      (response) => {
        settle();
        if (response.status >= 400) addFailed(method, response.url, response.status);
        return response;
      },
      (thrown: Partial<Error> | undefined) => {
        settle();
        if (thrown?.name !== "AbortError")
          addFailed(method, request?.url || input, 0, cut(thrown?.message, 600));
        throw thrown;
      },
    );
  };

  const requests = XMLHttpRequest.prototype;
  const { open } = requests;
  requests.open = function (this: XMLHttpRequest, ...given: [string, string | URL]) {
    const [method, url] = given;
    const hear = () => {
      if (!this.status || this.status >= 400)
        addFailed(method, this.responseURL || url, this.status);
    };
    for (const type of ["load", "error"]) this.addEventListener(type, hear, { once: true });
    return Reflect.apply(open, this, given);
  };

  const hearUpdates = (socket: WebSocket) => {
    socket.addEventListener("open", on.hot);
    socket.addEventListener("message", ({ data }) => {
      if (!/"(js-update|built|sync|ok|turbopack-message)"/.test(data)) return;
      Object.assign(observed, { uncaughtErrors: [], consoleErrors: [], failedRequests: [] });
      observed.moved = performance.now();
      on.updated();
    });
  };
  window.WebSocket = new Proxy(WebSocket, {
    construct(Type, given: ConstructorParameters<typeof WebSocket>, target) {
      const socket = Reflect.construct(Type, given, target) as WebSocket;
      if (/hmr|\/ws$/.test(given.join(","))) hearUpdates(socket);
      return socket;
    },
  });
  return observed;
}
