/**
 * The documentation as a site: `npm run docs` builds it into `.cache/docs`, `npm run docs -- dev` shows it while it is written.
 * The pages are the files that the repository shows; nothing is copied.
 */
import { posix, relative } from "node:path";
import { fileURLToPath } from "node:url";

const page = (text, link) => ({ text, link: `/${link}` });

const sidebar = [
  {
    text: "Use it",
    items: [
      page("The first five minutes", "start"),
      page("Working with it", "using"),
      page("Acceptance checks", "checks"),
      page("The workbench", "workbench"),
      page("Models", "models"),
      page("History", "history"),
      page("Publishing", "publish"),
      page("Sharing by a link", "share"),
      page("Tool servers", "tool-servers"),
      page("Agents, editors, programs", "agents"),
      page("Checking any project", "check"),
      page("Record and replay", "replay"),
      page("Benchmarks", "bench"),
      page("bolt's clients", "bolt"),
      page("When it says …", "troubleshooting"),
    ],
  },
  {
    text: "Trust it",
    items: [
      page("What counts as what", "verdict"),
      page("What is yours", "yours"),
      page("Previews", "preview"),
      page("Security", "SECURITY"),
      page("Threat model", "threat-model"),
      page("Attacks", "attacks"),
      page("How it compares", "compare"),
    ],
  },
  {
    text: "Run it",
    items: [
      page("On a machine of your own", "self-hosting"),
      page("Settings", "settings"),
      page("People and roles", "accounts"),
      page("In Docker", "docker"),
      page("Testing that", "testing-docker"),
      page("In Kubernetes", "kubernetes"),
      page("Testing that", "testing-kubernetes"),
      page("In a tab of yours", "tab"),
    ],
  },
  {
    text: "Work on it",
    items: [
      page("Contributing", "CONTRIBUTING"),
      page("How it is built", "architecture"),
      page("The dialects", "dialects"),
    ],
  },
];

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Links stand as they lead in the repository; on the site `docs` is no folder. */
function linksOfTheSite(md) {
  md.core.ruler.push("links-of-the-site", ({ tokens, env }) => {
    const folder = posix.dirname(relative(root, env.realPath ?? env.path));
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : undefined;
      if (!href || /^(?:[a-z]+:|[#/])/.test(href)) continue;
      const place = posix.join(folder, href);
      token.attrSet("href", `/${place.replace(/^docs\//, "")}`);
    }
  });
}

export default {
  title: "Treadle",
  description: "Say one sentence, get a running web app that has been checked to work.",
  srcDir: "..",
  srcExclude: [
    "node_modules/**",
    "e2e/**",
    "bench/**",
    "README.md",
    "**/src/**",
    "**/templates/**",
    "**/demos/**",
    "**/scripts/**",
  ],
  // The folder that the pages lie in is none of the site's.
  rewrites: { "docs/:rest*": ":rest*" },
  outDir: "../.cache/docs",
  cacheDir: "../.cache/vitepress",
  cleanUrls: true,
  // Sources that a page names are in the repository, not on the site.
  ignoreDeadLinks: [/^\/packages\/(?:.*\/)?(?:Dockerfile|src\/\w+|dialects)$/],
  markdown: { config: linksOfTheSite },
  locales: {
    root: { label: "English", lang: "en" },
    zh: { label: "简体中文", lang: "zh-CN" },
    ja: { label: "日本語", lang: "ja" },
    pt: { label: "Português (Brasil)", lang: "pt-BR" },
  },
  themeConfig: { sidebar, search: { provider: "local" }, outline: "deep" },
};
