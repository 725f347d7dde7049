/** What a request to the registry asks for. */
export interface PackageRequest {
  /** Undefined if the address names no package, as of archives that a registry stores elsewhere. */
  name?: string;
  /** The version of an archive. */
  version?: string;
}

/**
 * Decides whether a project may install a package. Called for archives, and for the metadata that installers read
 * before them.
 * @returns false to refuse the request
 */
export type MayInstall = (asked: PackageRequest) => Promise<boolean>;

/** A name as npm accepts it, also one of the old ones with capitals. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i;

/** The media type of abbreviated metadata, which only installers request. */
const INSTALLS = "application/vnd.npm.install-v1+json";

/**
 * Determines what a request would install. Undefined if it only reads about a package, as `npm view` does.
 * @param registry the registry's address, with a trailing slash
 * @param accept the request's `Accept` header
 */
export function readPackageRequest(
  target: URL,
  registry: URL,
  accept: string | undefined,
): PackageRequest | undefined {
  const path = decodeURIComponent(target.pathname).replaceAll(/\/+/g, "/");
  if (!path.startsWith(registry.pathname)) return {};
  const parts = path.slice(registry.pathname.length).split("/");
  const name = parts.splice(0, parts[0]?.startsWith("@") ? 2 : 1).join("/");
  if (!NAME.test(name)) return {};
  if (parts[0] === "-") {
    const base = `${name.slice(name.indexOf("/") + 1)}-`;
    const file = parts.at(-1)!.replace(/\.tgz$/, "");
    return { name, version: file.startsWith(base) ? file.slice(base.length) : undefined };
  }
  // A version, a tag, or nothing: metadata. Whatever is longer may be an archive.
  if (parts.length > 1) return {};
  return accept?.includes(INSTALLS) ? { name } : undefined;
}
