/** The first label of a link's host: it tells links apart, and opens nothing by itself. */
const HOST = /^share-([a-z2-7]{16})\.([a-z0-9.-]+?)\.?(?::\d{1,5})?$/;

/** Which link a Host header names, known or not; undefined where it can be none's. */
export function readShareHost(
  host: string | undefined,
  appsDomain: string | undefined,
): string | undefined {
  const match = HOST.exec(host?.toLowerCase() ?? "");
  return match && (match[2] === "localhost" || match[2] === appsDomain) ? match[1] : undefined;
}

/** Where a link leads: through the domain where there is one, else on this machine. */
export function shareOrigin(
  id: string,
  { appOrigin, appsDomain }: { appOrigin: string; appsDomain: string | undefined },
): string {
  if (appsDomain !== undefined) return `https://share-${id}.${appsDomain}`;
  const { protocol, port } = new URL(appOrigin);
  return `${protocol}//share-${id}.localhost${port === "" ? "" : `:${port}`}`;
}
