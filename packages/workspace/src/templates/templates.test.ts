import { expect, it } from "vitest";
import { listTemplates, readTemplate, templatesToPrepare } from "./templates.ts";

it("each template reads whole, with its .gitignore, and asks for exact versions alone", () => {
  for (const name of listTemplates()) {
    const files = new Map(readTemplate(name).map(({ path, content }) => [path, content]));
    expect([name, files.has(".gitignore")]).toEqual([name, true]);
    const manifest = JSON.parse(files.get("package.json") ?? "{}");
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(ranges.filter((range) => !/^\d+\.\d+\.\d+$/.test(String(range)))).toEqual([]);
    if (name !== "static") expect(manifest.scripts.dev).toBeDefined();
  }
});

it("a package is asked for in one version by all templates, but for TypeScript's", () => {
  const versions = new Map<string, Set<string>>();
  for (const name of listTemplates()) {
    const text = readTemplate(name).find(({ path }) => path === "package.json")?.content ?? "{}";
    const { dependencies, devDependencies } = JSON.parse(text);
    for (const [each, version] of Object.entries({ ...dependencies, ...devDependencies }))
      versions.set(each, (versions.get(each) ?? new Set()).add(String(version)));
  }
  const several = [...versions].filter(([, all]) => all.size > 1).map(([name]) => name);
  // vue-tsc, svelte-check and astro check use its older programming interface.
  expect(several).toEqual(["typescript"]);
});

it("pages name their language and no template fetches anything from elsewhere", () => {
  for (const name of listTemplates())
    for (const { path, content } of readTemplate(name)) {
      if (content.includes("<html"))
        expect([name, path, content]).toContainEqual(expect.stringContaining('<html lang="en">'));
      expect([name, path, /https:\/\//.test(content)]).toEqual([name, path, false]);
    }
});

it("all are prepared, or those that are named, the most used first", () => {
  expect(templatesToPrepare({})).toEqual(listTemplates());
  expect(templatesToPrepare({ TREADLE_PREPARE: "" })).toEqual(listTemplates());
  expect(templatesToPrepare({ TREADLE_PREPARE: "hono, react nothing" })).toEqual(["react", "hono"]);
  expect(templatesToPrepare({ TREADLE_PREPARE: "none" })).toEqual([]);
});

it("a name that is none is refused in words", () => {
  expect(() => readTemplate("../..")).toThrow(/there is no template "..\/.."/);
});
