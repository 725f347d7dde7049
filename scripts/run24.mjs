/** `node scripts/run24.mjs FILE …`: runs a script under Node 24, whatever Node npm itself runs on. */
import { ensureGenerated, ensureInstalled, runNode } from "./prepare.mjs";

await ensureInstalled();
ensureGenerated();
process.exit(runNode(process.argv.slice(2)));
