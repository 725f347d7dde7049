import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built page, beside this program in the checkout. */
export function webDirectory(): string | undefined {
  const folder = fileURLToPath(new URL("../../web/dist", import.meta.url));
  return existsSync(folder) ? folder : undefined;
}
