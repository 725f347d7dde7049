import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { catalogues } from "./catalogues/plugin.ts";
import { icons } from "./icons/plugin.ts";

/** Where `vite dev` finds a running server. */
const server = process.env["TREADLE_SERVER"] ?? "http://localhost:4173";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  plugins: [catalogues(), icons(), react(), tailwindcss()],
  json: { namedExports: false, stringify: true },
  // CodeMirror's parser asks at each step whether the person waits, which costs more than the step, and then works for
  // 100 ms at once; where it cannot ask, it works as long as the page is idle.
  define: { "navigator.scheduling": "undefined" },
  resolve: { conditions: ["treadle-source", ...defaultClientConditions] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // The policy of the page is `script-src 'self'`: nothing may be inlined as a script or a data address.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
});
