/** Maximum length of a server's error message that is forwarded, in characters. */
const ERROR_LIMIT = 500;
/** Maximum number of settings in one request: the answer is longer than the request. */
const ITEMS = 100;

/**
 * The methods that the page may call. Requests to run a command or to change the folder are left out, because a language
 * server would comply.
 */
const ASKED = new Set([
  "initialize",
  "initialized",
  "$/cancelRequest",
  "completionItem/resolve",
  "workspace/symbol",
]);
const NOT_ASKED = new Set(["textDocument/willSave", "textDocument/willSaveWaitUntil"]);

const mayAsk = (method: string) =>
  ASKED.has(method) || (method.startsWith("textDocument/") && !NOT_ASKED.has(method));

/** A parsed message of the page, as it is forwarded to the language server. */
export interface FromPage {
  text: string;
  /** For a request: the id of its answer. */
  id?: number;
}

/**
 * Parses a message of the page; undefined if it must not be forwarded. Never throws.
 * @param options initialisation options, replacing those of the page
 */
export function readFromPage(text: string, options?: object): FromPage | undefined {
  const message = parsed(text);
  if (typeof message?.["method"] !== "string" || !mayAsk(message["method"])) return undefined;
  const { id, method } = message;
  const params =
    options && method === "initialize"
      ? { ...(message["params"] as object), initializationOptions: options }
      : message["params"];
  if (id !== undefined && !Number.isSafeInteger(id)) return undefined;
  return {
    text: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    id: typeof id === "number" ? id : undefined,
  };
}

/** The consequences of a message of the language server: a message to the page, an answer to the server, or neither. */
export interface FromServer {
  toPage?: string;
  /** For an answer: the id of the request. */
  answers?: number;
  toServer?: string;
}

/**
 * Parses a message from the language server, which may be any program of the project in its place. Answers and
 * diagnostics are passed on; its requests are answered here with an empty result. Never throws.
 */
export function readFromServer(text: string): FromServer {
  const message = parsed(text);
  if (!message) return {};
  const { id, method, params, result, error } = message;
  if (method === undefined) {
    if (typeof id !== "number") return {};
    const answer = error === undefined ? { result: result ?? null } : { error: readError(error) };
    return { answers: id, toPage: JSON.stringify({ jsonrpc: "2.0", id, ...answer }) };
  }
  if (typeof id === "number" || typeof id === "string")
    return {
      toServer: JSON.stringify({ jsonrpc: "2.0", id, ...answerTo(method, params) }),
      // Passed on as a notification, which needs no answer: the page then requests diagnostics again.
      toPage: method === "workspace/diagnostic/refresh" ? notification(method) : undefined,
    };
  if (method === "textDocument/publishDiagnostics") return { toPage: notification(method, params) };
  return {};
}

const notification = (method: string, params: unknown = {}) =>
  JSON.stringify({ jsonrpc: "2.0", method, params });

/** The settings sent to the server: a renaming applies everywhere; all others keep their defaults. */
const SETTINGS = { preferences: { useAliasesForRenames: false } };

/**
 * The answer to a request that the server sends to the page. Requests to watch files need no handling, since the
 * server is notified of all changes.
 */
function answerTo(method: unknown, params: unknown): { result: unknown } | { error: object } {
  switch (method) {
    case "workspace/configuration": {
      const items = (params as { items?: unknown } | null)?.items;
      return { result: Array.isArray(items) ? items.slice(0, ITEMS).map(() => SETTINGS) : [] };
    }
    case "client/registerCapability":
    case "client/unregisterCapability":
    case "window/workDoneProgress/create":
    case "workspace/diagnostic/refresh":
    case "workspace/semanticTokens/refresh":
    case "workspace/inlayHint/refresh":
    case "workspace/codeLens/refresh":
      return { result: null };
    default:
      return { error: { code: -32_601, message: "Not known here." } };
  }
}

function readError(error: unknown): { code: number; message: string } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return {
    code: typeof code === "number" ? code : -32_603,
    message: typeof message === "string" ? message.slice(0, ERROR_LIMIT) : "It failed.",
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== "object" || message === null || Array.isArray(message)) return undefined;
    return (message as { jsonrpc?: unknown }).jsonrpc === "2.0"
      ? (message as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
