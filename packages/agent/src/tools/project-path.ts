import { z } from "zod";

/**
 * A path of the project as a model writes it, in its one spelling: `./src//App.tsx` is `src/App.tsx`. What is known of a
 * file (who left it, which version was seen) is known by that. What no project has is left as it is, to be refused.
 */
export const projectPath = z.string().overwrite(oneSpelling);

function oneSpelling(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return (path.startsWith("/") ? "/" : "") + parts.join("/");
}
