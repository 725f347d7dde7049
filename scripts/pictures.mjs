/** `npm run pictures`: the pictures of the page's states, anew (`e2e/pictures/take.ts`). */
import { join } from "node:path";
import { ensureBuilt, root, runNode } from "./prepare.mjs";

ensureBuilt();
process.exit(runNode([join(root, "e2e/pictures/take.ts")]));
