/** The first label of a link's host: it identifies the link, but does not open it. */
const HOST = /^share-([a-z2-7]{16})\.([a-z0-9.-]+?)\.?(?::\d{1,5})?$/;

/** The link that a Host header names, known or not; undefined if it has another form. */
export function readShareHost(
  host: string | undefined,
  appsDomain: string | undefined,
): string | undefined {
  const match = HOST.exec(host?.toLowerCase() ?? "");
  return match && (match[2] === "localhost" || match[2] === appsDomain) ? match[1] : undefined;
}

/** The origin of a link: below the domain if there is one, else on this machine. */
export function shareOrigin(
  id: string,
  { appOrigin, appsDomain }: { appOrigin: string; appsDomain: string | undefined },
): string {
  if (appsDomain !== undefined) return `https://share-${id}.${appsDomain}`;
  const { protocol, port } = new URL(appOrigin);
  return `${protocol}//share-${id}.localhost${port === "" ? "" : `:${port}`}`;
}
