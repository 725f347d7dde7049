import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built page: within the package where Treadle was installed as one, beside this program in a checkout. */
export function webDirectory(): string | undefined {
  return ["../../web", "../../../web/dist"]
    .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
    .find((folder) => existsSync(folder));
}
