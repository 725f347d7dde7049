import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";

const PREFIX = "virtual:lucide/";
/** Vite's convention: no other plugin takes such a module for a file. */
const RESOLVED = `\0${PREFIX}`;
const MAKER = join(import.meta.dirname, "../src/ui/make-icon.tsx");
/**
 * The attributes that all Lucide icons share. `make-icon.tsx` sets them once, where the stroke
 * width can be changed.
 */
const SHARED =
  / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g;

interface IconSet {
  icons: Record<string, { body: string } | undefined>;
}

/**
 * `import X from "virtual:lucide/x"`: an icon of Lucide as a component, under its name at lucide.dev. The set is one file, where
 * Lucide's own package for React has five thousand, which a first start would spend seconds on.
 */
export function icons(): Plugin {
  const set = createRequire(import.meta.url)("@iconify-json/lucide/icons.json") as IconSet;
  return {
    name: "treadle-icons",
    resolveId: {
      filter: { id: /^virtual:lucide\// },
      handler: (id) => ({ id: `\0${id}`, moduleSideEffects: false }),
    },
    load: {
      filter: { id: /virtual:lucide\// },
      handler(id) {
        const name = id.slice(RESOLVED.length);
        const icon = set.icons[name];
        if (!icon) this.error(`Lucide has no icon “${name}”.`);
        const drawing = icon.body.replaceAll(SHARED, "");
        return `import { makeIcon } from ${JSON.stringify(MAKER)};
export default /* @__PURE__ */ makeIcon(${JSON.stringify(drawing)});`;
      },
    },
  };
}
