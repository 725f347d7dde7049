import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./prepare.mjs";

/**
 * Puts the command and all of our own packages that it needs into a few files: loading 1,400 modules one by one was two
 * fifths of a server's start. Only what is compiled already is read. Everybody else's packages stay where npm puts them, but
 * for those of `inlined`.
 * @param {string} folder what is written, and cleared before
 * @param {(path: string) => string} placeOf where a compiled module of ours lies beside that folder, by its path in the
 * repository: files that a module reads beside itself, and the threads that it starts, stay where they are
 * @param {readonly string[]} inlined packages to put in as well: only those that depend on nothing, read no file of their own,
 * and give no class or schema to another package, which would find a second copy of it
 */
export async function bundleProgram(folder, placeOf, inlined = []) {
  const isInlined = (id) => inlined.some((name) => id === name || id.startsWith(`${name}/`));
  const bundle = await rolldown({
    input: { main: join(root, "apps/cli/dist/main.js") },
    platform: "node",
    external: (id, _importer, isResolved) =>
      !isResolved && !/^(?:[./]|@treadle\/)/.test(id) && !isInlined(id),
    plugins: [
      {
        name: "own-place",
        transform(code, id) {
          if (!code.includes("import.meta.url")) return null;
          const place = JSON.stringify(relative(folder, placeOf(relative(root, id))));
          return code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`);
        },
      },
    ],
  });
  await bundle.write({ dir: folder, chunkFileNames: "[name]-[hash].js", cleanDir: true });
  await bundle.close();
}
