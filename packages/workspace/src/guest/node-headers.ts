import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The newest form of its folder that node-gyp asks for; one that asks for an older form takes it as well. */
const FORM = "11";

/**
 * Lays Node's headers where node-gyp keeps those that it has fetched from nodejs.org, which is out of reach in here: native
 * modules are built with them, whichever package manager runs node-gyp, and whichever version of it. npm's own setting
 * `nodedir` would do the same, and be warned of by npm at each command.
 * @param headers folder that holds `node/node.h`
 */
export function offerHeaders(home: string, headers: string): void {
  if (!existsSync(join(headers, "node/node.h"))) return;
  const place = join(home, ".cache/node-gyp", process.versions.node);
  try {
    mkdirSync(place, { recursive: true });
    const link = join(place, "include");
    // A folder of node-gyp's own is as good; a link may be of another installation.
    if (!existsSync(join(link, "node/node.h"))) {
      rmSync(link, { recursive: true, force: true });
      symlinkSync(headers, link);
    }
    writeFileSync(join(place, "installVersion"), `${FORM}\n`);
  } catch {
    // What is no native module needs none.
  }
}
