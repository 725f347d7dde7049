import { describe, expect, it } from "vitest";
import { ownServer, startsServerBeside } from "./own-server.ts";

describe("a server of the project's own", () => {
  it.each([
    ["node server.js", "node server.js"],
    ["node --watch server.js", "node server.js"],
    ["node --env-file=.env --watch-path=src src/index.mjs", "node --env-file=.env src/index.mjs"],
    ["nodemon app.js", "node app.js"],
    ["npx nodemon ./bin/www.js", "node ./bin/www.js"],
    ["tsx watch src/server.ts", "npx --no-install tsx src/server.ts"],
    ["PORT=4000 tsx src/server.ts", "PORT=4000 npx --no-install tsx src/server.ts"],
    ["cross-env DEBUG=1 node server.js", "npx --no-install cross-env DEBUG=1 node server.js"],
    ["python3 app.py", "python3 app.py"],
    ["uvicorn main:app --reload --port 8000", "uvicorn main:app --port 8000"],
    ["npm run server", "node --import tsx api/index.ts"],
  ])("is what “%s” starts, without watching for changes", (script, command) => {
    expect(ownServer(script, { server: "node --import tsx api/index.ts" })).toBe(command);
  });

  it.each([
    "vite",
    "next dev",
    "npm run dev",
    "node build.mjs --serve",
    "node node_modules/vite/bin/vite.js",
    "nodemon --exec 'ts-node' src/x.ts",
    "tsc -w & node server.js",
    "npm run build && node server.js",
    "tsx",
    "toString x.js",
  ])("is not what “%s” starts", (script) => {
    expect(ownServer(script, { dev: "npm run dev" })).toBeUndefined();
  });

  it.each([
    ['concurrently -k "node api.js" "vite"'],
    ["concurrently npm:web npm:api"],
    ["concurrently 'npm:web' 'npm run api'"],
    ["run-p web api"],
    ["npm-run-all --parallel dev:*"],
    ["vite & node api.js"],
    ["npm run both"],
  ])("runs beside another one in “%s”", (script) => {
    const scripts = {
      web: "vite",
      api: "tsx watch api/index.ts",
      "dev:web": "vite",
      "dev:api": "nodemon api.js",
      both: "npm run web & npm run api",
    };
    expect(startsServerBeside(script, scripts)).toBe(true);
  });

  it.each([
    ["vite"],
    ["node server.js"],
    ['concurrently "vite" "tsc -w"'],
    ["tailwindcss -w & vite"],
    ["npm run build && vite preview"],
    ["turbo dev"],
  ])("does not in “%s”", (script) => {
    expect(startsServerBeside(script, {})).toBe(false);
  });
});
