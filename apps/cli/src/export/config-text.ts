/** Generates a configuration that runs the project's own command and reads the address from its output. */
export const configText = (
  command: string,
): string => `import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  timeout: 60_000,
  expect: { timeout: 5_000 },
  // Checks may change the same data.
  workers: 1,
  use: {
    // The named group of the pattern below; or an app that runs already.
    baseURL: process.env["BASE_URL"] ?? \`http://localhost:\${process.env["APP_PORT"]}\`,
    viewport: { width: 1280, height: 800 },
    // This machine's Chromium instead of Playwright's own.
    ...(process.env["TREADLE_CHROMIUM"] && {
      launchOptions: { executablePath: process.env["TREADLE_CHROMIUM"] },
    }),
  },
  webServer: process.env["BASE_URL"]
    ? undefined
    : {
        command: ${JSON.stringify(command)},
        cwd: "..",
        gracefulShutdown: { signal: "SIGTERM", timeout: 2_000 },
        wait: {
          stdout: /(?:(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1?\\]):|port\\D{0,3})(?<app_port>\\d{2,5})/i,
        },
      },
});
`;

/** A file server for a project that has no command of its own. */
export const SERVER_TEXT = String.raw`import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".png": "image/png" };
const server = createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const name = path.endsWith("/") ? path + "index.html" : path;
  const content = await readFile(join(process.cwd(), name)).catch(() => undefined);
  response.writeHead(content ? 200 : 404, { "content-type": TYPES[extname(name)] ?? "text/plain" });
  response.end(content);
}).listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;
