/** `node scripts/run24.mjs FILE …`: runs a script under Node 24, whatever Node npm itself runs on. */
import { ensureClient, ensureInstalled, runNode } from "./prepare.mjs";

await ensureInstalled();
ensureClient();
process.exit(runNode(process.argv.slice(2)));
