import { describe, expect, test } from "vitest";
import { takesChanges } from "./takes-changes.ts";

describe("takesChanges", () => {
  test.each([
    "vite",
    "vite --port 3000 --host",
    "vite dev",
    "npx vite client",
    "next dev --turbopack",
    "NODE_ENV=development next dev",
    "cross-env FORCE_COLOR=1 astro dev",
    "npm exec -- vite",
    "node_modules/.bin/vite",
    "ng serve",
    "react-scripts start",
    "parcel index.html",
    "treadle-serve",
  ])("only a development server applies them: %s", (script) => {
    expect(takesChanges(script)).toBe(true);
  });

  test.each([
    'concurrently -k "vite" "node api.js"',
    "vite & node api.js",
    "node api.js & vite",
    "prisma generate && next dev",
    "node server.js",
    "nodemon server.js",
    "tsx watch server.ts",
    "vite-node server.ts",
    "vite preview",
    "vite build --watch",
    "next start",
    "astro preview",
    "webpack --watch",
    "npm run dev:client",
    "run-p dev:*",
  ])("what runs beside it, serves a build or is none keeps its old code: %s", (script) => {
    expect(takesChanges(script)).toBe(false);
  });
});
