/** Finds a package's exports, whose docstrings users read in their editors. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The names that a package in `source` and its parts export, and the files re-exported as a whole.
 */
function exportsOf(source: string): { names: Set<string>; typeFiles: string[] } {
  const indexes = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => /(?:^|\/)index\.ts$/.test(file)); // prettier-ignore
  const text = indexes.map((file) => readFileSync(join(source, file), "utf8")).join("");
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\} from "\./g)].map(
    ([, list]) => list!,
  );
  const names = lists.flatMap((list) => list.split(",").map((name) => name.replace(/\btype\b/, "").trim())); // prettier-ignore
  const typeFiles = [...text.matchAll(/export type \* from "\.\/(.*)"/g)].map(([, file]) => file!);
  return { names: new Set(names.filter((name) => name !== "")), typeFiles };
}

/** Exports without a docstring, as `FILE: NAME`, and names that are exported but declared nowhere. */
export function undocumentedExports(source: string): { bare: string[]; missing: string[] } {
  const { names, typeFiles } = exportsOf(source);
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.includes("test"),
  );
  const bare: string[] = [];
  const found = new Set<string>();
  for (const file of files)
    for (const [, doc, name = ""] of readFileSync(join(source, file), "utf8").matchAll(
      /(\*\/\n)?^export (?:async )?(?:function|class|interface|type|const) (\w+)/gm,
    )) {
      if (!names.has(name) && !typeFiles.includes(file)) continue;
      found.add(name);
      if (doc === undefined) bare.push(`${file}: ${name}`);
    }
  return { bare, missing: [...names].filter((name) => !found.has(name)) };
}
