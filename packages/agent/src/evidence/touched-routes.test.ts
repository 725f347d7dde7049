import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { createFakeWorkspace } from "../testing/fake-workspace.test-support.ts";
import { touchedRoutes } from "./touched-routes.ts";

const touched = (dependencies: object, ...paths: string[]) =>
  touchedRoutes(
    createFakeWorkspace({ files: { "package.json": JSON.stringify({ dependencies }) } }),
    paths.map(toProjectPath),
  );

it("pages are told by the files of their framework", async () => {
  expect(await touched({ next: "16" }, "app/(shop)/cart/page.tsx")).toEqual(["/cart"]);
  expect(await touched({ "@sveltejs/kit": "2" }, "src/routes/about/+page.svelte")).toEqual(["/about"]); // prettier-ignore
  expect(await touched({ astro: "5" }, "src/pages/old.html")).toEqual(["/old"]);
});

it("a file of HTML is a page where no framework makes something of it", async () => {
  expect(await touched({}, "about.html", "public/help.html")).toEqual([
    "/about.html",
    "/help.html",
  ]);
  expect(await touched({ vite: "8" }, "pages/about.html")).toEqual(["/pages/about.html"]);
  expect(await touched({ "@sveltejs/kit": "2" }, "src/app.html", "static/help.html")).toEqual(["/help.html"]); // prettier-ignore
  expect(await touched({ "@angular/core": "21" }, "src/app/app.component.html")).toEqual([]);
});
