/** What these pages name is there: files, headings, and the numbers that tests carry. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = dirname(import.meta.dirname);
const SKIPPED = /(?:^|\/)(?:node_modules|dist|coverage|\.\w+)(?:\/|$)/;

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.test(path)) return [];
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

const files = ["packages", "apps", "e2e", "bench", "scripts", "docs"].flatMap(filesUnder);
const read = (file: string) => readFileSync(join(root, file), "utf8");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...files.filter((file) => /^docs\/.*\.md$|^(?:packages|apps)\/[^/]+\/README\.md$/.test(file)),
];

/** As a heading's address is made of it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

test.each(pages)("%s links to what there is", (page) => {
  const missing = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
  expect(missing).toEqual([]);
});

test.each(pages)("%s closes each code block that it opens", (page) => {
  let open: string | undefined;
  for (const line of read(page).split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!fence) continue;
    if (open === undefined) open = line;
    // Closed by as many marks with nothing behind them; one that names a language begins another.
    else if (fence[2]!.trim() === "") open = undefined;
    else break;
  }
  expect(open).toBeUndefined();
});

test("what docs/troubleshooting.md explains is what the program says", () => {
  const sources = files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !/\.test\./.test(file));
  const said = sources.map(read).join("\n");
  const rows = [...read("docs/troubleshooting.md").matchAll(/^\| `([^`]+)`/gm)];
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.map(([, words]) => words!).filter((words) => !said.includes(words))).toEqual([]);
});

test("every page has its place beside the others on the site", async () => {
  const site = (await import(join(root, "docs/.vitepress/config.mjs"))) as {
    default: { themeConfig: { sidebar: { items: { link: string }[] }[] } };
  };
  const listed = site.default.themeConfig.sidebar.flatMap(({ items }) =>
    items.map(({ link }) => link),
  );
  const own = pages.filter((page) => /^(?:docs\/[a-z-]+|SECURITY|CONTRIBUTING)\.md$/.test(page));
  const links = own.map((page) => `/${page.replace(/^docs\/|\.md$/g, "")}`);
  expect(listed.toSorted()).toEqual(links.filter((link) => link !== "/index").toSorted());
});

/** A file of ours in backticks: by its whole path, or by the end of one, as `tools/tool.ts`. */
const OURS =
  /^(?:packages|apps|e2e|bench|scripts|docs)\/[\w./@-]+$|^[\w./@-]+\/[\w.@-]+\.(?:ts|tsx|mjs)$/;
/** Pages for those who use it: what they name in backticks is a file of a project. */
const OF_PROJECTS =
  /docs\/(?:using|yours|models|settings|preview|protocol)\.md$|protocol\/README\.md$/;

test.each(pages.filter((page) => !OF_PROJECTS.test(page)))(
  "%s names files that there are",
  (page) => {
    const named = [...read(page).matchAll(/`([^`\s]+)`/g)].map(([, code]) => code!);
    const missing = named
      .filter((code) => OURS.test(code) && !code.startsWith("@"))
      .filter((code) => {
        const path = code.replace(/\/$/, "");
        const own = join(dirname(page), path);
        const isThere = [path, own].some((one) => existsSync(join(root, one)));
        return !isThere && !files.some((file) => file.endsWith(`/${path}`));
      });
    expect(missing).toEqual([]);
  },
);

test("the number of every attack (A…) and fault (F…) that a test carries is in docs/attacks.md", () => {
  const listed = new Set(read("docs/attacks.md").match(/\b[AF]\d+\b/g));
  const tests = files.filter(
    (file) =>
      /\.(?:test|test-support)\.tsx?$/.test(file) ||
      file.startsWith("packages/workspace/src/attacks/"),
  );
  const missing = tests.flatMap((file) =>
    // In a test's name or a comment: `A12 …`, `… (A12)`, not a digest or a colour.
    [...read(file).matchAll(/(?<![\w#\\/+.-])[AF]\d{1,2}(?![\w+-])/g)]
      .filter(([number]) => !listed.has(number))
      .map(([number]) => `${number} in ${file}`),
  );
  expect([...new Set(missing)]).toEqual([]);
});

test("the README is at most two screens", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(110);
  expect(statSync(join(root, "docs/images/workbench.png")).isFile()).toBe(true);
});
