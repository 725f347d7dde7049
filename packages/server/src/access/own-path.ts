const ANY_ORIGIN = "http://own.invalid";

/**
 * The path of an address on this host, with its query and fragment. An address that leads elsewhere becomes `/`,
 * even if only browsers read it that way (`//host`, a backslash, a tab).
 */
export function ownPath(address: string | null | undefined): string {
  const url = URL.parse(address ?? "", ANY_ORIGIN);
  if (url?.origin !== ANY_ORIGIN) return "/";
  return `/${url.pathname.replace(/^[/\\]+/, "")}${url.search}${url.hash}`;
}
