import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rgPath } from "@vscode/ripgrep";

/** What of Treadle's own installation goes into every sandbox, as absolute paths of the host. */
export interface Installation {
  node: string;
  /** Folder of the npm package. */
  npm: string;
  /** Folder of the built guest: `guest.mjs`, `bin/`, the native pty. */
  guest: string;
  ripgrep: string;
}

const require = createRequire(import.meta.url);

/** The guest is built by `build-guest.mjs` into `dist/guest`, which is reached from `src` and `dist` alike. */
export function findInstallation(): Installation {
  return {
    node: process.execPath,
    npm: dirname(require.resolve("npm/package.json")),
    guest: join(dirname(fileURLToPath(import.meta.url)), "../../dist/guest"),
    ripgrep: rgPath,
  };
}
