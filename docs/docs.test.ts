/** What these pages name is there: files, headings, and the numbers that tests carry. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../apps/cli/src/arguments/commands.ts";
import { readArguments } from "../apps/cli/src/arguments/read-arguments.ts";
import { OWN_CASES, readCases } from "../e2e/verdicts/cases.ts";

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

test.each(pages)("%s has no broken links", (page) => {
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
  const sources = files.filter(
    (file) => /\.(?:ts|tsx|mjs)$|\/words\/.*\.json$/.test(file) && !/\.test\./.test(file),
  );
  const content = sources.map(read).join("\n");
  const [own = ""] = read("docs/troubleshooting.md").split("## Of a package manager");
  const rows = [...own.matchAll(/^\| `([^`]+)`/gm)];
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.map(([, words]) => words!).filter((words) => !content.includes(words))).toEqual([]);
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

/** What must hold where something fails (F), and of what comes from elsewhere: each has its row, and tests that carry it. */
const HELD = [...Array.from({ length: 28 }, (_, index) => `F${index + 1}`), "A25", "A26"];

test.each(HELD)(
  "the tests that docs/attacks.md names for %s are there and carry its number",
  (number) => {
    const rows = read("docs/attacks.md")
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .filter(([, numbers = ""]) => numbers.split(/, /).includes(number));
    expect(rows).toHaveLength(1);
    const where = rows[0]!.at(-2)!;
    const word = (text: string) => new RegExp(`(?<!\\w)${text}(?!\\w)`);
    const named = [...where.matchAll(/`([\w./-]+\.ts)`/g)].flatMap(([, path]) => {
      const found = files.filter((file) => file === path || file.endsWith(`/${path}`));
      expect(found, `${path} of ${number}`).not.toEqual([]);
      return found;
    });
    const contract = files.filter((file) => file.startsWith("packages/workspace/src/contract/"));
    const rules = [...where.matchAll(/\bW(\d+)(?:–W(\d+))?/g)].flatMap(([, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `W${Number(from) + at}`),
    );
    for (const rule of rules)
      expect(
        contract.some((file) => word(rule).test(read(file))),
        `${rule} of ${number}`,
      ).toBe(true);
    const carry = named.filter((file) => word(number).test(read(file)));
    // Each rule of the contract has its own number.
    expect(carry.length + rules.length, `what carries ${number}`).toBeGreaterThan(0);
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

/** What stands in code blocks of a page for a shell, a command a line. */
function linesOf(page: string): string[] {
  const lines: string[] = [];
  let fence: { marks: string; isShell: boolean } | undefined;
  for (const line of read(page)
    .replaceAll(/ \\\n\s*/g, " ")
    .split("\n")) {
    const [, marks, language] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence) {
      if (marks === fence.marks) fence = undefined;
      else if (fence.isShell) lines.push(line.trim());
    } else if (marks) fence = { marks, isShell: /^(?:|sh|bash|shell)$/.test(language!.trim()) };
    else if (line.startsWith("    ")) lines.push(line.trim());
  }
  return lines;
}

/** Words as a shell takes them apart, up to a remark or to where the output goes. */
const wordsOf = (line: string) =>
  [...line.replace(/\s(?:#|> ).*$/, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, a, b, word]) => a ?? b ?? word!,
  );

test.each(pages)("%s tells people to type what the command takes", (page) => {
  const wrong = linesOf(page).flatMap((line) => {
    const typed = /^(?:npx(?: --no-install)? )?treadle(?: (.*)|)$/.exec(line);
    if (!typed) return [];
    // In a checkout there is no command of that name: npx finds it.
    if (!line.startsWith("npx")) return [`${line}: begins with npx`];
    const command = readArguments(wordsOf(typed[1] ?? ""));
    return command.kind === "wrong" ? [`${line}: ${command.message}`] : [];
  });
  expect(wrong).toEqual([]);
});

test.each(pages)("%s names commands and options of the command that there are", (page) => {
  const named = [...read(page).matchAll(/`(?:npx(?: --no-install)? )?treadle ([a-z][^`\n|]*)`/g)];
  const wrong = named.filter(([, words]) => {
    const [name, ...rest] = wordsOf(words!);
    const command = COMMANDS.find((one) => one.name === name);
    const given = rest.map((word) => /^--([\w-]+)/.exec(word)?.[1]).filter(Boolean);
    return !command || given.some((option) => option !== "help" && !(option! in command.options));
  });
  expect(wrong.map(([link]) => link)).toEqual([]);
});

test.each(pages)("%s names scripts of npm that there are, and folders for them", (page) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const wrong = linesOf(page).filter((line) => {
    const typed = /(?:^|\s)npm (?:run ([\w:-]+)|(start|test))(.*)$/.exec(line);
    if (!typed) return false;
    const [, run, other, rest] = typed;
    const paths = wordsOf(rest!).filter((word) => /^(?:packages|apps|e2e|docs)\//.test(word));
    return !((run ?? other!) in scripts) || paths.some((path) => !existsSync(join(root, path)));
  });
  expect(wrong).toEqual([]);
});

const inLanguages = ["zh", "ja", "pt"].flatMap((language) =>
  ["start", "index"].map((name) => [`docs/${language}/${name}.md`, `docs/${name}.md`] as const),
);
/** What a page has in whatever language: its headings' levels, its items, its commands and code, where it leads. */
const shapeOf = (page: string) => {
  const text = read(page);
  return {
    headings: [...text.matchAll(/^(#+) (\d+\.)?/gm)].map(([, level, number]) => [level, number]),
    items: text.match(/^ *- /gm)?.length,
    blocks: [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, code]) => code),
    code: [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`]+)`/g)].map(
      ([, code]) => code,
    ),
    links: [...text.matchAll(/\]\(([^)\s]+)\)|^ *link: (\S+)/gm)].map(([, link, action]) =>
      link === undefined ? action!.replace(/^\/(?:zh|ja|pt)\//, "/") : link.replace(/^\.\.\//, ""),
    ),
  };
};

test.each(inLanguages)("%s says what %s does: headings, commands, links", (page, english) => {
  expect(shapeOf(page)).toEqual(shapeOf(english));
});

test.each(["en", "zh", "ja", "pt"])(
  "what the start page in %s says to press is called so in the page",
  (language) => {
    const words = filesUnder(`apps/web/src/words/${language}`).map(read).join("\n");
    const page = read(language === "en" ? "docs/start.md" : `docs/${language}/start.md`);
    // Text after a colon is an example.
    const pressed = [...page.matchAll(/(?<!\w)_([^_\n]+)_(?!\w)/g)]
      .filter(({ index }) => !/[:：]\s?$/.test(page.slice(0, index)))
      .map(([, name]) => name!);
    expect(pressed).toHaveLength(8);
    expect(pressed.filter((name) => !words.includes(`"${name}"`))).toEqual([]);
  },
);

/** Pages for those who use it; what stands in italics on them and begins with a capital is called so in the page. */
const OF_USE =
  /^docs\/(?:using|workbench|history|publish|share|tool-servers|agents|yours|preview|settings|tab|troubleshooting)\.md$/;

test.each(pages.filter((page) => OF_USE.test(page)))(
  "%s calls what is pressed and chosen as the page does",
  (page) => {
    const words = filesUnder("apps/web/src/words/en").map(read).join("\n");
    const prose = read(page).replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, "");
    const missing = [...prose.matchAll(/(?<!\w)_(\p{Lu}[^_]*)_(?!\w)/gu)]
      .flatMap(([, name]) => name!.replaceAll(/\s+/g, " ").split(" → "))
      // "Went back from here: 2 messages" begins so, in each of its plural forms.
      .filter((name) => !words.includes(`"${name}"`) && !new RegExp(`["{]${name}: `).test(words));
    expect(missing).toEqual([]);
  },
);

test.each(pages)("%s has nobody run a package of this name that is in the registry", (page) => {
  expect(read(page)).not.toMatch(/\bnpx treadle\b|"npx", "args": \["treadle"/);
});

const SHARED_CASES = readCases();
const CASES = SHARED_CASES && [...SHARED_CASES, ...readCases(OWN_CASES)!];

/** A cell that names tests: `file.test: a name; another name`, files after a comma, cases, rules of the contract. */
const testFilesNamed = (cell: string) =>
  [...cell.matchAll(/(?<![\w/-])((?:[\w-]+\/)*[\w-]+)\.test(?:\.ts)?(?::\s*([^`|,]+))?/g)].map(
    ([, path, names = ""]) => ({
      path: `${path!}.test.ts`,
      names: names.split(/;\s*/).filter((name) => name.trim() !== ""),
    }),
  );

test("the tests, cases and rules of the contract that docs/verdict.md names beside a row are there", () => {
  const cells = read("docs/verdict.md")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").at(-2)!.trim());
  const contract = files.filter((file) => file.startsWith("packages/workspace/src/contract/"));
  const rules = contract.map(read).join("\n");
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s’']+/g, " ");
  const missing = cells.flatMap((cell) => [
    ...testFilesNamed(cell).flatMap(({ path, names }) => {
      const found = files.filter((file) => file === path || file.endsWith(`/${path}`));
      if (found.length === 0) return [path];
      const content = plain(found.map(read).join("\n"));
      return names
        .filter((name) => !content.includes(plain(name.trim())))
        .map((name) => `${path}: ${name}`);
    }),
    ...[...cell.matchAll(/\bW(\d+)(?:–W(\d+))?/g)]
      .flatMap(([, from, to = from]) => [`W${from}`, `W${to}`])
      .filter((rule) => !new RegExp(`(?<!\\w)${rule}(?!\\w)`).test(rules)),
    // What they are is in no file of the repository.
    ...(CASES === undefined ? [] : [...cell.matchAll(/case `([\w-]+)`/g)])
      .map(([, name]) => name!)
      .filter((name) => !CASES!.some((one) => one.name === name)),
  ]);
  expect(missing).toEqual([]);
});

test("docs/settings.md has each variable of Treadle's own name that is read, and no other", () => {
  /** Set by tests for what they start themselves. */
  const OWN = new Set(["TREADLE_TEST_KEY", "TREADLE_TEST_SECRET"]);
  const namesIn = (text: string, before = "") =>
    new Set(
      [...text.matchAll(new RegExp(`${before}(?<!\\w)(TREADLE_[A-Z_]*[A-Z])\\b(?!_)`, "g"))]
        .map(([, name]) => name!)
        .filter((name) => !OWN.has(name)),
    );
  const sources = files.filter((file) => /\.(?:ts|tsx|mjs|js)$/.test(file));
  const isTest = (file: string) => /\.test\.tsx?$/.test(file);
  const inSources = namesIn(
    sources
      .filter((file) => !isTest(file))
      .map(read)
      .join("\n"),
  );
  const inTests = namesIn(sources.filter(isTest).map(read).join("\n"), 'process\\.env(?:\\.|\\[")');
  const documented = namesIn(read("docs/settings.md"));
  expect([...inSources, ...inTests].filter((name) => !documented.has(name))).toEqual([]);
  expect([...documented].filter((name) => !inSources.has(name) && !inTests.has(name))).toEqual([]);
});

test("docs/models.md has each variable by which a provider is set up", () => {
  const specs = read("packages/agent/src/models/provider-specs.ts");
  const names = [...specs.matchAll(/(?:key|address)Variables: \[([^\]]*)\]/g)].flatMap(([, list]) =>
    [...list!.matchAll(/"(\w+)"/g)].map(([, name]) => name!),
  );
  expect(names.length).toBeGreaterThan(10);
  const page = read("docs/models.md");
  expect([...new Set(names)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
