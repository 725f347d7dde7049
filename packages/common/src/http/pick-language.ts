const base = (tag: string) => tag.trim().toLowerCase().split("-")[0];

/** The first language of `Accept-Language` that is among these, or undefined. */
export function pickLanguage<Tag extends string>(
  accepted: string | undefined,
  tags: readonly Tag[],
): Tag | undefined {
  const requested = (accepted ?? "")
    .split(",")
    .map((one) => {
      const [name = "", ...rest] = one.split(";");
      const quality = rest.map((part) => /^\s*q=([\d.]+)\s*$/.exec(part)?.[1]).find(Boolean);
      return { name, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { name } of requested) {
    const tag = tags.find((known) => base(known) === base(name));
    if (tag) return tag;
  }
  return undefined;
}
