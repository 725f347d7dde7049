import type { Plugin } from "vite";
import { compileCatalogue, type Catalogue } from "./compile.ts";

/** Compiles the page's catalogues during bundling, so that the browser needs no parser. The output is JSON. */
export function catalogues(): Plugin {
  return {
    name: "treadle-catalogues",
    enforce: "pre",
    transform: {
      filter: { id: /\/src\/words\/\w+\/\w+\.json$/ },
      handler: (source) => ({
        code: JSON.stringify(compileCatalogue(JSON.parse(source) as Catalogue)),
        map: null,
      }),
    },
  };
}
