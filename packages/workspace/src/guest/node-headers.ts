import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The newest layout version of the folder that node-gyp expects; versions that expect an older one
 * accept it as well.
 */
const FORM = "11";

/**
 * Links Node's headers to where node-gyp stores those that it downloads from nodejs.org, which is unreachable from the
 * sandbox. Native modules are built with them, whichever package manager runs whichever version of node-gyp. npm's
 * setting `nodedir` would do the same, but npm warns about it at each command.
 * @param headers folder that contains `node/node.h`
 */
export function offerHeaders(home: string, headers: string): void {
  if (!existsSync(join(headers, "node/node.h"))) return;
  const place = join(home, ".cache/node-gyp", process.versions.node);
  try {
    mkdirSync(place, { recursive: true });
    const link = join(place, "include");
    // A real folder of node-gyp is equally good; a link may point to another installation.
    if (!existsSync(join(link, "node/node.h"))) {
      rmSync(link, { recursive: true, force: true });
      symlinkSync(headers, link);
    }
    writeFileSync(join(place, "installVersion"), `${FORM}\n`);
  } catch {
    // Only native modules need the headers.
  }
}
