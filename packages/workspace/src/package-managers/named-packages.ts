import type { Workspace } from "../types.ts";

/** Maximum number of a project's package.json files that are read. */
const MANIFESTS = 50;

const KINDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const; // prettier-ignore

/** The packages that a package.json names, with their ranges; none if it cannot be read. */
export function namedRanges(manifest: string): [name: string, range: string][] {
  try {
    const fields = JSON.parse(manifest) as Partial<Record<string, Record<string, unknown>>> | null;
    return KINDS.flatMap((kind) => Object.entries(fields?.[kind] ?? {})).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
  } catch {
    return [];
  }
}

/** The names of all packages that a project's package.json files name. */
export async function namedPackages(workspace: Workspace): Promise<string[]> {
  const { files } = await workspace.files.list({ only: "manifests", limit: MANIFESTS });
  const texts = await Promise.all(
    files.map(({ path }) =>
      workspace.files.read(path).then(
        ({ bytes }) => Buffer.from(bytes).toString(),
        () => "",
      ),
    ),
  );
  return [...new Set(texts.flatMap(namedRanges).map(([name]) => name))];
}
