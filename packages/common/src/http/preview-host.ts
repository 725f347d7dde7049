/** What the Host of a preview says: which preview, and which of its ports where one is named. */
export interface PreviewHost {
  capability: string;
  port?: number;
}

const PREVIEW = /^([a-z0-9]{1,48})(?:--([1-9]\d{0,4}))?\.localhost(?::\d{1,5})?$/;

/** Whether it lies below `localhost`: such a host is never Treadle's own, known or not. */
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

/** Same scheme and port as Treadle's page, another host. */
export function previewOrigin(appOrigin: string, capability: string, port?: number): string {
  const app = new URL(appOrigin);
  const label = port === undefined ? capability : `${capability}--${port}`;
  return `${app.protocol}//${label}.localhost${app.port === "" ? "" : `:${app.port}`}`;
}

/** Every origin under which Treadle's page may be open: a person may type its address as a number as well. */
export function appOrigins(appOrigin: string): string[] {
  const { protocol, hostname, port } = new URL(appOrigin);
  if (hostname !== "localhost") return [appOrigin];
  const end = port === "" ? "" : `:${port}`;
  return ["localhost", "127.0.0.1", "[::1]"].map((name) => `${protocol}//${name}${end}`);
}
