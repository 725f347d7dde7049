import { existsSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const settings = existsSync("../backend/.env") ? readFileSync("../backend/.env", "utf8") : "";
const api = /^PORT=(\d+)/m.exec(settings)?.[1] ?? "3001";

export default defineConfig({
  plugins: [react()],
  cacheDir: "../node_modules/.vite",
  server: {
    port: Number(process.env.PORT ?? 5173),
    // The API compares the origin of a request with the host that the page was asked at.
    proxy: { "/api": { target: `http://127.0.0.1:${api}`, changeOrigin: false } },
  },
});
