import { expect, it } from "vitest";
import { chooseFiles } from "./choose-files.ts";

/** The files that are left out of such a folder. */
function leftOut(files: Record<string, string>): string[] {
  const chosen = chooseFiles(Object.keys(files), {
    read: (path) => (files[path] === undefined ? undefined : Buffer.from(files[path], "latin1")),
    stamp: (path) => (files[path] === undefined ? undefined : "1"),
  });
  return Object.keys(files)
    .filter((path) => !chosen.has(path))
    .toSorted();
}

it("leaves out files ignored by git, at any depth, by the rules beside them", () => {
  expect(
    leftOut({
      ".gitignore": "generated/\n*.gen.js\n",
      "web/.gitignore": "/.cache\n",
      "generated/a.js": "",
      "web/.cache/b.js": "",
      "web/src/.cache/c.js": "",
      "src/a.gen.js": "",
      "src/app.js": "",
    }),
  ).toEqual(["generated/a.js", "src/a.gen.js", "web/.cache/b.js"].toSorted());
});

it("takes ignored files that a source imports, and the app's secrets and data", () => {
  expect(
    leftOut({
      ".gitignore": "generated\n.env\n*.db\nstuff\n",
      "src/app.js": 'import { a } from "../generated/a.js";',
      "generated/a.js": 'export { b } from "./b.js";',
      "generated/b.js": "",
      ".env": "KEY=1",
      "app.db": "",
      "stuff/x.js": "",
    }),
  ).toEqual(["stuff/x.js"]);
});

it("takes a folder with a usual name of build output, if no other rule excludes it", () => {
  expect(leftOut({ "dist/index.html": "", "build/plan.js": "", ".vite/a": "" })).toEqual([]);
  expect(leftOut({ ".gitignore": "dist", "dist/index.html": "" })).toEqual(["dist/index.html"]);
  expect(leftOut({ "cache/CACHEDIR.TAG": "", "cache/a": "" })).toEqual([
    "cache/CACHEDIR.TAG",
    "cache/a",
  ]);
});

it("leaves out packages, repositories, virtual environments and files of operating systems everywhere", () => {
  const files = [
    "node_modules/a/index.js",
    "api/node_modules/b.js",
    ".git/config",
    "lib/.git/HEAD",
    "env/pyvenv.cfg",
    "env/lib/x.py",
    "__MACOSX/._a",
    "src/.DS_Store",
  ];
  const all = Object.fromEntries(files.map((path) => [path, ""]));
  expect(leftOut({ ...all, "src/__MACOSX/a": "" })).toEqual(files.toSorted());
});
