/**
 * A child process that appends endlessly and prints the number of the newest durable entry after
 * each group.
 */
import { openStore } from "../open-store.ts";

const [directory = "", project = ""] = process.argv.slice(2);
const store = await openStore({ directory });
for (;;) {
  for (let n = 0; n < 7; n++)
    store.log.append(project, { type: "text", run: "r", id: "t", text: "x".repeat(50) });
  await store.log.settled();
  process.stdout.write(`${await store.log.head(project)}\n`);
}
