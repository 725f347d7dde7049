import { readTemplate } from "@treadle/workspace";
import { parseChecks } from "@treadle/protocol/checks";
import { describe, expect, it } from "vitest";
import { TEMPLATE_NAMES } from "../../ports/templates.ts";
import { toldSentences } from "./told-sentences.test-support.ts";

const textOf = (name: (typeof TEMPLATE_NAMES)[number], path: string) =>
  readTemplate(name)
    .find((file) => file.path === path)
    ?.content.toString();

/** The template on which a skill builds. */
const BEGINS_WITH = {
  react: "react",
  vue: "vue",
  svelte: "svelte",
  vanilla: "vanilla",
  nextjs: "next",
  "sign-in": "accounts",
} as const;
/** Files that a skill has the model create, or names as an example. */
const MADE = new Set(["src/app.html"]);

describe("names in the texts for the model", () => {
  it.each(Object.entries(BEGINS_WITH))(
    "exist in the template if a skill names them: %s",
    (skill, template) => {
      const there = new Set(readTemplate(template).map(({ path }) => path));
      const sentences = toldSentences().filter(({ file }) => file.includes(`/${skill}/`));
      const named = sentences.flatMap(({ text }) =>
        [...text.matchAll(/`((?:src|test|app)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path!),
      );
      expect(named.filter((path) => !there.has(path) && !MADE.has(path))).toEqual([]);
    },
  );

  it("describe templates correctly", () => {
    const dependenciesOf = (name: (typeof TEMPLATE_NAMES)[number]) =>
      readTemplate(name)
        .filter(({ path }) => path.endsWith("package.json"))
        .flatMap(({ content }) => {
          const { dependencies = {}, devDependencies = {} } = JSON.parse(content) as Record<
            string,
            Record<string, string>
          >;
          return Object.keys({ ...dependencies, ...devDependencies });
        });
    for (const name of ["react", "vue", "svelte", "vanilla"] as const)
      expect(dependenciesOf(name), name).toContain("vite");
    for (const name of ["react", "vue", "svelte", "next", "astro", "express", "hono"] as const)
      expect(dependenciesOf(name), name).toContain(name);
    expect(dependenciesOf("accounts")).toEqual(expect.arrayContaining(["hono", "better-auth"]));
    expect(dependenciesOf("fullstack")).toEqual(expect.arrayContaining(["react", "hono", "pg"]));
    for (const name of TEMPLATE_NAMES.filter((one) => one !== "static"))
      expect(dependenciesOf(name), name).toContain("typescript");
    for (const name of ["express", "hono"] as const)
      expect(JSON.parse(textOf(name, "package.json")!).scripts.start, name).toContain("src/");
    expect(textOf("static", "package.json")).toBeUndefined();
  });

  it("every template with a package.json has the scripts that the instructions name", () => {
    for (const name of TEMPLATE_NAMES.filter((one) => one !== "static")) {
      const { scripts } = JSON.parse(textOf(name, "package.json")!) as {
        scripts: Record<string, string>;
      };
      expect(scripts, name).toHaveProperty("dev");
      const isBuilt = ["react", "vue", "svelte", "vanilla", "next", "astro"].includes(name);
      if (isBuilt) expect(scripts, name).toHaveProperty("build");
      else expect(scripts, name).toHaveProperty("start");
    }
  });

  it("servers of templates run TypeScript by tsx", () => {
    for (const name of ["express", "hono", "accounts"] as const) {
      const { scripts } = JSON.parse(textOf(name, "package.json")!) as {
        scripts: Record<string, string>;
      };
      expect([name, scripts["dev"], scripts["start"]]).toEqual([
        name,
        expect.stringContaining("tsx"),
        expect.stringContaining("tsx"),
      ]);
    }
  });

  it("every step that the instructions and tools show is one", () => {
    const sentences = toldSentences().filter(({ file }) => !file.includes("/skills/"));
    const shown = sentences.flatMap(({ text }) =>
      [...text.matchAll(/`(?:- )?((?:type|click|reload|expect|open|press) ?[^`…]*)`/g)].map(
        ([, step]) => step!,
      ),
    );
    expect(shown.length).toBeGreaterThan(8);
    const written = shown.map((step) => `- ${step}`).join("\n");
    expect(parseChecks(`## Shown\n${written}\n`).problems).toEqual([]);
  });

  it("the accounts template brings numbered migrations, and what runs them without Treadle", () => {
    const paths = readTemplate("accounts").map(({ path }) => path);
    expect(paths.filter((path) => /^migrations\/\d+.*\.sql$/.test(path))).not.toEqual([]);
    expect(textOf("accounts", "src/migrate.ts")).toContain("treadle_migrations");
  });

  it("the accounts template makes its secret in .data/.env", () => {
    const source = textOf("accounts", "src/secret.ts");
    expect(source).toContain('".data"');
    expect(source).toContain('".env"');
  });
});
