import { serve } from "@hono/node-server";
import { app } from "./app.ts";
import { seedAdmin } from "./auth.ts";
import { migrate } from "./migrate.ts";

await migrate();
await seedAdmin();

const port = Number(process.env.PORT ?? 3001);
serve({ fetch: app.fetch, port });
