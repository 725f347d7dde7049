/** Sources that a page's content security policy has to admit, and no others. */
export interface Admission {
  /** Origin and path of the gateway's own scripts and report endpoints. */
  own: string;
  /** `'sha256-…'` of those scripts: needed if a policy contains `'strict-dynamic'`. */
  hashes: string[];
  /** Origins of Treadle's page, which embeds the preview as a frame. */
  embedders: string[];
}

/**
 * Adds the gateway's own scripts to a policy header or meta value (possibly several policies,
 * separated by commas). A list inherited from a wider directive is copied to the narrowest one, so
 * that the wider one is unchanged.
 */
export function admitProbe(value: string, admission: Admission): string {
  return value
    .split(",")
    .map((policy) => admitInPolicy(policy, admission))
    .join(", ");
}

function admitInPolicy(policy: string, { own, hashes, embedders }: Admission): string {
  const directives = new Map<string, string[]>();
  for (const part of policy.split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    // The first directive of a name counts.
    if (name !== "" && !directives.has(name.toLowerCase()))
      directives.set(name.toLowerCase(), sources);
  }
  const extend = (chain: string[], added: (list: string[]) => string[]) => {
    const from = chain.find((name) => directives.has(name));
    if (from === undefined) return;
    const list = (directives.get(from) ?? []).filter((source) => source.toLowerCase() !== "'none'");
    directives.set(chain[0] ?? from, [...list, ...added(list)]);
  };
  const isStrict = (list: string[]) =>
    list.some((source) => source.toLowerCase() === "'strict-dynamic'");
  extend(["script-src-elem", "script-src", "default-src"], (list) =>
    isStrict(list) ? [own, ...hashes] : [own],
  );
  extend(["connect-src", "default-src"], () => [own]);
  extend(["frame-ancestors"], () => embedders);
  return [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}
