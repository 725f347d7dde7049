/** The parsed Host of a preview: its name, and its port if one is given. */
export interface PreviewHost {
  capability: string;
  port?: number;
}

/** The domain of previews on this machine. */
const LOCAL = "localhost";
const LABEL = /^([a-z0-9]{1,48})(?:--([1-9]\d{0,4}))?$/;

/** Whether it is below the domain: such a host is never Treadle's own, known or not. */
export function isPreviewHost(host: string | undefined, domain = LOCAL): boolean {
  const name = host?.toLowerCase().replace(/:\d{1,5}$/, "") ?? "";
  return name.length > domain.length + 1 && name.endsWith(`.${domain}`);
}

export function readPreviewHost(host: string | undefined, domain = LOCAL): PreviewHost | undefined {
  if (!isPreviewHost(host, domain)) return undefined;
  const match = LABEL.exec(
    host!
      .toLowerCase()
      .replace(/:\d{1,5}$/, "")
      .slice(0, -domain.length - 1),
  );
  if (!match?.[1]) return undefined;
  if (match[2] === undefined) return { capability: match[1] };
  const port = Number(match[2]);
  return port > 65_535 ? undefined : { capability: match[1], port };
}

/** The domain of a preview's host: what follows its first label, without a port. */
export const previewDomainOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d{1,5}$/, "")
    .replace(/^[^.]*\.?/, "");

/** Same scheme and port as Treadle's page on this machine, with another host. */
export function previewOrigin(appOrigin: string, capability: string, port?: number): string {
  const app = new URL(appOrigin);
  const label = port === undefined ? capability : `${capability}--${port}`;
  return `${app.protocol}//${label}.${LOCAL}${app.port === "" ? "" : `:${app.port}`}`;
}

/** Origin of another port of the project whose preview has this origin. */
export function siblingOrigin(origin: string, port: number): string {
  const { protocol, host } = new URL(origin);
  const dot = host.indexOf(".");
  return `${protocol}//${host.slice(0, dot).replace(/--\d+$/, "")}--${port}${host.slice(dot)}`;
}

/** All possible origins of Treadle's page: a person may also type its address as a number. */
export function appOrigins(appOrigin: string): string[] {
  const { protocol, hostname, port } = new URL(appOrigin);
  if (hostname !== LOCAL) return [appOrigin];
  const end = port === "" ? "" : `:${port}`;
  return [LOCAL, "127.0.0.1", "[::1]"].map((name) => `${protocol}//${name}${end}`);
}
