import type { Sentence } from "@treadle/protocol/sentences";
import type { McpServerConfig } from "@treadle/agent";

/** Shown in place of each value of `env` and `headers`; the values themselves stay on the server. */
const KEPT = "(kept)";

/** A server as people write it down, without its values. */
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

/** What is started, or called, as one line. */
export const whereOf = (config: McpServerConfig): string =>
  config.type === "stdio" ? [config.command, ...config.args].join(" ") : config.url;

/**
 * Puts the values back that were shown as kept. Where another place is called than before, they are not: they go there.
 * @returns the names of those of which nothing is kept, where there are some
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

/** Shorter values are words that stand in any text. */
const SHORTEST = 6;

/** `hideValues` for a sentence and the values of its code. */
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

/** Takes a server's keys out of what it prints or answers: that goes to the page, to the log and to the model. */
export function hideValues(config: McpServerConfig, text: string): string {
  let out = text;
  for (const [name, value] of Object.entries(valuesOf(config)))
    for (const part of new Set([value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, "")]))
      if (part.length >= SHORTEST) out = out.replaceAll(part, `[${name}]`);
  return out;
}
