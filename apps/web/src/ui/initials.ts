/** The initials of a name: of its first and last word, in capitals; "" for an empty name. */
export function initials(name: string): string {
  const [first = "", ...rest] = name.trim().split(/\s+/);
  const last = rest.at(-1) ?? "";
  return [first, last].map((part) => [...part][0] ?? "").join("").toLocaleUpperCase(); // prettier-ignore
}
