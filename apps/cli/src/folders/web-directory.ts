import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The folder of the built page: inside an installed package, or beside this program in a checkout.
 */
export function webDirectory(): string | undefined {
  return ["../../web", "../../../web/dist"]
    .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
    .find((folder) => existsSync(folder));
}
