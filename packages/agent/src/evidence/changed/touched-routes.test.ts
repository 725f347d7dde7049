import { toProjectPath } from "@treadle/protocol/project-path";
import { expect, it } from "vitest";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { touchedRoutes } from "./touched-routes.ts";

const touched = (dependencies: object, ...paths: string[]) =>
  touchedRoutes(
    createFakeWorkspace({ files: { "package.json": JSON.stringify({ dependencies }) } }),
    paths.map(toProjectPath),
  );

it("finds pages by the file conventions of their framework", async () => {
  expect(await touched({ next: "16" }, "app/(shop)/cart/page.tsx")).toEqual(["/cart"]);
  expect(await touched({ "@sveltejs/kit": "2" }, "src/routes/about/+page.svelte")).toEqual(["/about"]); // prettier-ignore
  expect(await touched({ astro: "5" }, "src/pages/old.html")).toEqual(["/old"]);
});

it("takes an HTML file for a page unless a framework processes it", async () => {
  expect(await touched({}, "about.html", "public/help.html")).toEqual([
    "/about.html",
    "/help.html",
  ]);
  expect(await touched({ vite: "8" }, "pages/about.html")).toEqual(["/pages/about.html"]);
  expect(await touched({ "@sveltejs/kit": "2" }, "src/app.html", "static/help.html")).toEqual(["/help.html"]); // prettier-ignore
  expect(await touched({ "@angular/core": "21" }, "src/app/app.component.html")).toEqual([]);
});

it("excludes addresses at which a server behind the page answers", async () => {
  const workspace = createFakeWorkspace({
    files: {
      "package.json": '{"workspaces":["web","api"]}',
      "web/package.json": '{"devDependencies":{"vite":"8"}}',
      "web/index.html": "<div id=root></div>",
      "web/src/routes.tsx": 'import "react-router"; <Route path="/about" />; api.get("/things")',
      "api/package.json": '{"dependencies":{"hono":"4"}}',
      "api/src/app.ts": 'import { Hono } from "hono"; app.get("/things", list)',
    },
  });
  const paths = ["web/src/routes.tsx", "api/src/app.ts", "web/help.html"].map(toProjectPath);
  expect(await touchedRoutes(workspace, paths)).toEqual(["/about", "/things", "/help.html"]);
  expect(await touchedRoutes(workspace, paths.slice(1, 2))).toEqual([]);
  const alone = createFakeWorkspace({
    files: { "api/package.json": "{}", "api/app.js": 'require("express"); app.get("/list", f)' },
  });
  expect(await touchedRoutes(alone, [toProjectPath("api/app.js")])).toEqual(["/list"]);
});
