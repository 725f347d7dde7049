import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { catalogues } from "./catalogues/plugin.ts";
import { icons } from "./icons/plugin.ts";

/** The server that `vite dev` proxies to. */
const server = process.env["TREADLE_SERVER"] ?? "http://localhost:4173";

/**
 * Modules that are in no common file: the sign-in page's script, and the page of components, which waits for parts at its top
 * level: they would wait for the file that it is in.
 */
const APART = /passkey-sign-in|@simplewebauthn|\/web\/dev\//;

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  plugins: [catalogues(), icons(), react(), tailwindcss()],
  json: { namedExports: false, stringify: true },
  // CodeMirror's parser checks at each step whether input is pending, which costs more than the step itself, and then
  // works for 100 ms at a time; without the check it works only while the page is idle.
  define: { "navigator.scheduling": "undefined" },
  resolve: { conditions: ["treadle-source", ...defaultClientConditions] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // The page's policy is `script-src 'self'`, so nothing may be inlined as a script or a data URL.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, "index.html"),
        "passkey-sign-in": join(import.meta.dirname, "src/account/passkey-sign-in.ts"),
      },
      output: {
        // The server's sign-in page names its script, so that one has no hash.
        entryFileNames: ({ name }) =>
          name === "passkey-sign-in" ? "assets/[name].js" : "assets/[name]-[hash].js",
        // Everything that is loaded before the page draws is one file: a browser requests six at a time, and thirty took
        // longer than all of the page's own work.
        codeSplitting: {
          groups: [{ name: "first-page", tags: ["$initial"], test: (id) => !APART.test(id) }],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
});
