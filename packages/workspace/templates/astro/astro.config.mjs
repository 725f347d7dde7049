import { defineConfig } from "astro/config";

// Fonts: Astro's providers ask their servers at build time, which a sandbox does not let out. Use "@fontsource/…".
export default defineConfig({
  devToolbar: { enabled: false },
});
