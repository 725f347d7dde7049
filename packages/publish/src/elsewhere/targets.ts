import { cloudflare } from "./cloudflare.ts";
import { coolify } from "./coolify.ts";
import { dokploy } from "./dokploy.ts";
import { githubPages } from "./github-pages.ts";
import { netlify } from "./netlify.ts";
import { registry } from "./registry.ts";
import { rsync } from "./rsync.ts";
import type { Target } from "./target.ts";
import { vercel } from "./vercel.ts";

/** All targets, in the order in which they are shown. */
export const TARGETS: readonly Target[] = [
  netlify,
  vercel,
  cloudflare,
  githubPages,
  coolify,
  dokploy,
  rsync,
  registry,
];
