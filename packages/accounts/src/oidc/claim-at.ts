/**
 * A claim by its name, or by a path of names with dots, such as `realm_access.roles`. A claim whose
 * own name has dots comes first.
 */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) return undefined;
  const own = (name: string): unknown =>
    Object.hasOwn(claims, name) ? (claims as Record<string, unknown>)[name] : undefined;
  if (own(path) !== undefined) return own(path);
  for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
    const found = claimAt(own(path.slice(0, dot)), path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
