/** The parsed Host of a preview: its name, and its port if one is given. */
export interface PreviewHost {
  capability: string;
  port?: number;
}

const PREVIEW = /^([a-z0-9]{1,48})(?:--([1-9]\d{0,4}))?\.localhost(?::\d{1,5})?$/;

/**
 * Whether a host is below `localhost`: such a host is never Treadle's own, whether a preview of that name exists or
 * not.
 */
export function isPreviewHost(host: string | undefined): boolean {
  return host !== undefined && /\.localhost(?::\d{1,5})?$/i.test(host);
}

export function readPreviewHost(host: string | undefined): PreviewHost | undefined {
  const match = PREVIEW.exec(host?.toLowerCase() ?? "");
  if (!match?.[1]) return undefined;
  if (match[2] === undefined) return { capability: match[1] };
  const port = Number(match[2]);
  return port > 65_535 ? undefined : { capability: match[1], port };
}

/** A preview's origin: the scheme and port of Treadle's page, with another host. */
export function previewOrigin(appOrigin: string, capability: string, port?: number): string {
  const app = new URL(appOrigin);
  const label = port === undefined ? capability : `${capability}--${port}`;
  return `${app.protocol}//${label}.localhost${app.port === "" ? "" : `:${app.port}`}`;
}

/** All possible origins of Treadle's page: a person may also type its address as a number. */
export function appOrigins(appOrigin: string): string[] {
  const { protocol, hostname, port } = new URL(appOrigin);
  if (hostname !== "localhost") return [appOrigin];
  const end = port === "" ? "" : `:${port}`;
  return ["localhost", "127.0.0.1", "[::1]"].map((name) => `${protocol}//${name}${end}`);
}
