import { createApp } from "./app.ts";
import { createBookmarks } from "./bookmarks.ts";
import { openDatabase } from "./database.ts";

const port = Number(process.env.PORT ?? 3000);
const database = openDatabase(process.env.DATABASE_FILE ?? "data/app.db");

const server = createApp(createBookmarks(database)).listen(port, () => {
  console.log(`Bookmarks API on http://localhost:${port}`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close(() => database.close());
    server.closeAllConnections();
  });
}
