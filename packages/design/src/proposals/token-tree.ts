/** A token as written in the file. */
export interface RawToken {
  /** Its own type, or that of the nearest group around it. */
  type: string | undefined;
  value: unknown;
}

/** The tokens of a file, by set and path. A file without sets is one set without a name. */
export interface TokenTree {
  /** The file's themes, each with its sets; one of all sets for a file without themes. */
  themes: { name: string; sets: string[] }[];
  /** The tokens of some sets, in order, with their paths. A later set replaces a token of the same path. */
  tokensOf(sets: readonly string[]): [path: string[], token: RawToken][];
  /** Finds the token that an alias names; undefined if there is none. */
  find(sets: readonly string[], alias: string): RawToken | undefined;
}

/** Maximum nesting depth of groups, and maximum number of tokens in a file. */
const MAX_DEPTH = 30;
const MAX_TOKENS = 5_000;

type Group = Record<string, unknown>;
const isGroup = (value: unknown): value is Group =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads the groups of a token file. Never throws on any JSON. */
export function readTokenTree(json: unknown): TokenTree {
  const root = isGroup(json) ? json : {};
  // Only files of Tokens Studio have these keys, and only in them the top-level groups are sets.
  const hasSets = "$themes" in root || "$metadata" in root;
  const sets = new Map<string, Map<string, { path: string[]; token: RawToken }>>();
  let count = 0;
  const visit = (set: string, path: string[], group: Group, inherited: string | undefined) => {
    const type = text(group["$type"]) ?? inherited;
    for (const [key, value] of Object.entries(group)) {
      if (key.startsWith("$") || !isGroup(value) || path.length >= MAX_DEPTH) continue;
      const here = [...path, key];
      const token = readToken(value, type);
      if (token && count++ < MAX_TOKENS) {
        const ofSet = sets.get(set) ?? new Map<string, { path: string[]; token: RawToken }>();
        sets.set(set, ofSet.set(here.join("."), { path: here, token }));
      } else if (!token) visit(set, here, value, type);
    }
  };
  if (hasSets)
    for (const [name, value] of Object.entries(root)) {
      if (!name.startsWith("$") && isGroup(value)) visit(name, [], value, undefined);
    }
  else visit("", [], root, undefined);
  const order = orderOf(root, [...sets.keys()]);
  const themes = themesOf(root, order);
  return {
    themes: themes.length > 0 ? themes : [{ name: "", sets: order }],
    tokensOf(names) {
      const found = new Map(names.flatMap((name) => [...(sets.get(name) ?? [])]));
      return [...found.values()].map(({ path, token }) => [path, token]);
    },
    find(names, alias) {
      const among = [...names, ...order.filter((name) => !names.includes(name))];
      const name = among.findLast(
        (one, index) => index < names.length && sets.get(one)?.has(alias),
      );
      const set = name ?? among.find((one) => sets.get(one)?.has(alias));
      return set === undefined ? undefined : sets.get(set)?.get(alias)?.token;
    },
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

function readToken(group: Group, inherited: string | undefined): RawToken | undefined {
  if ("$value" in group) return { type: text(group["$type"]) ?? inherited, value: group["$value"] };
  // A group may be called “value” as well.
  const isOlder = "value" in group && ("type" in group || !isGroup(group["value"]));
  return isOlder ? { type: text(group["type"]) ?? inherited, value: group["value"] } : undefined;
}

function orderOf(root: Group, names: string[]): string[] {
  const metadata = root["$metadata"];
  const order: unknown = isGroup(metadata) ? metadata["tokenSetOrder"] : undefined;
  const known = Array.isArray(order) ? order.filter((name) => names.includes(name as string)) : [];
  return [...new Set([...(known as string[]), ...names])];
}

function themesOf(root: Group, order: readonly string[]): TokenTree["themes"] {
  const themes: unknown[] = Array.isArray(root["$themes"]) ? root["$themes"] : [];
  return themes.filter(isGroup).map((theme) => {
    const chosen = isGroup(theme["selectedTokenSets"]) ? theme["selectedTokenSets"] : {};
    const sets = order.filter((name) => Object.hasOwn(chosen, name) && chosen[name] !== "disabled");
    return { name: text(theme["name"]) ?? "", sets };
  });
}
