import type { Sentence } from "@treadle/protocol/sentences";
import type { McpServerConfig } from "@treadle/agent";

/** Shown in place of each value of `env` and `headers`; the values themselves stay on the server. */
const KEPT = "(kept)";

/** A server's configuration as text. The values of its variables and headers are hidden unless `withValues` is set. */
export function shownConfig(name: string, config: McpServerConfig, withValues = false): string {
  const hide = (values: Record<string, string>) =>
    withValues
      ? values
      : Object.fromEntries(Object.keys(values).map((key) => [key, KEPT] as const));
  const server =
    config.type === "stdio"
      ? {
          command: config.command,
          args: config.args.length > 0 ? config.args : undefined,
          env: Object.keys(config.env).length > 0 ? hide(config.env) : undefined,
        }
      : {
          type: config.type,
          url: config.url,
          headers: Object.keys(config.headers).length > 0 ? hide(config.headers) : undefined,
        };
  return JSON.stringify({ mcpServers: { [name]: server } }, undefined, 2);
}

/** The command line or the address, on one line. */
export const whereOf = (config: McpServerConfig): string =>
  config.type === "stdio" ? [config.command, ...config.args].join(" ") : config.url;

/**
 * Restores values that were hidden as `(kept)`. If the command or address has changed, they are not restored, as they
 * would be sent there.
 * @returns the names of values that cannot be restored, if there are any
 */
export function withKept(
  next: McpServerConfig,
  before: McpServerConfig | undefined,
): McpServerConfig | string[] {
  const known = before && whereOf(before) === whereOf(next) ? valuesOf(before) : {};
  const values = valuesOf(next);
  const missing = Object.keys(values).filter(
    (key) => values[key] === KEPT && !Object.hasOwn(known, key),
  );
  if (missing.length > 0) return missing;
  const filled = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value === KEPT ? known[key]! : value]),
  );
  return next.type === "stdio" ? { ...next, env: filled } : { ...next, headers: filled };
}

const valuesOf = (config: McpServerConfig): Record<string, string> =>
  config.type === "stdio" ? config.env : config.headers;

/** Shorter values are not hidden, since they may be ordinary words. */
const SHORTEST = 6;

/** Applies `hideValues` to a sentence and to the values of its code. */
export function hideInSentence(config: McpServerConfig, { text, coded }: Sentence): Sentence {
  const hidden = (value: unknown): unknown => {
    if (typeof value === "string") return hideValues(config, value);
    if (Array.isArray(value)) return value.map(hidden);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hidden(one)]));
  };
  const values = coded?.values && (hidden(coded.values) as typeof coded.values);
  return {
    text: hideValues(config, text),
    coded: coded && { code: coded.code, ...(values && { values }) },
  };
}

/** Hides a server's keys in its output and its answers, which the page, the log and the model receive. */
export function hideValues(config: McpServerConfig, text: string): string {
  let out = text;
  for (const [name, value] of Object.entries(valuesOf(config)))
    for (const part of new Set([value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, "")]))
      if (part.length >= SHORTEST) out = out.replaceAll(part, `[${name}]`);
  return out;
}
