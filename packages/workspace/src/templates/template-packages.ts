import { createHash } from "node:crypto";
import { resolvePackages } from "@treadle/egress";
import { namedRanges } from "../package-managers/named-packages.ts";
import { listTemplates, readTemplate } from "./templates.ts";

/** The setting with the names, and the digest of the templates to which they belong. */
const KEY = "template-packages";
/** Milliseconds that reading them may take. */
const READING_MS = 120_000;
/** Milliseconds for which names are used although the registry did not answer for all of them. */
const PARTLY_KNOWN_MS = 10 * 60_000;

interface Stored {
  digest: string;
  names: string[];
}

/**
 * Creates a function that determines which packages Treadle's templates bring into a project, with all that these depend
 * on. They are read from the package registry once, and stored until the templates change.
 */
export function createTemplatePackages(parts: {
  env: Record<string, string | undefined>;
  settings: {
    get<Value>(key: string): Promise<Value | undefined>;
    set(key: string, value: Stored): Promise<void>;
  };
  now(): number;
}): () => Promise<ReadonlySet<string>> {
  let known: { names: Promise<ReadonlySet<string>>; until: number } | undefined;

  async function read(): Promise<ReadonlySet<string>> {
    const named = listTemplates()
      .flatMap(readTemplate)
      .filter(({ path }) => /(^|\/)package\.json$/.test(path))
      .flatMap(({ content }) => namedRanges(content));
    const digest = createHash("sha256").update(JSON.stringify(named)).digest("hex");
    const stored = await parts.settings.get<Stored>(KEY);
    if (stored?.digest === digest) return new Set(stored.names);
    const found = await resolvePackages(parts.env, named, AbortSignal.timeout(READING_MS));
    const names = [...new Set([...named.map(([name]) => name), ...found.versions.keys()])];
    if (!found.isCut) await parts.settings.set(KEY, { digest, names });
    else if (known) known.until = parts.now() + PARTLY_KNOWN_MS;
    return new Set(names);
  }

  return () => {
    if (known && parts.now() < known.until) return known.names;
    known = { names: read(), until: Infinity };
    const { names } = known;
    names.catch(() => (known = undefined));
    return names;
  };
}
