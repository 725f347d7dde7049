import { expect, it } from "vitest";
import { toProjectPath } from "../project-path/index.ts";
import { filePlaces } from "./file-places.ts";

const files = new Set(
  [
    "src/App.tsx",
    "public/app.js",
    "server.js",
    "app/[id]/page.tsx",
    "src/Größe.tsx",
    "lib/my file.ts",
  ].map(toProjectPath),
);
const named = (text: string) =>
  filePlaces(text, files).flatMap(({ place }) =>
    place ? [`${place.path} ${place.line} ${place.column}`] : [],
  );

it.each([
  ["uncaught: ReferenceError: foo is not defined (src/App.tsx:9:1)", ["src/App.tsx 9 1"]],
  ["src/App.tsx(3,5): error TS2304", ["src/App.tsx 3 5"]],
  ["at /home/project/server.js:12:7", ["server.js 12 7"]],
  ["./server.js:12", ["server.js 12 1"]],
  ["app/[id]/page.tsx:2:3 and server.js:1", ["app/[id]/page.tsx 2 3", "server.js 1 1"]],
  ["app.js:4:2", ["public/app.js 4 2"]],
  ["Error in src/Größe.tsx:4:2", ["src/Größe.tsx 4 2"]],
  ["at file:///home/project/src/Gr%C3%B6%C3%9Fe.tsx:4:2", ["src/Größe.tsx 4 2"]],
  ["at run (/home/project/lib/my file.ts:7:1)", ["lib/my file.ts 7 1"]],
  ["at file:///home/project/lib/my%20file.ts:7:1", ["lib/my file.ts 7 1"]],
  [
    "in /home/project/lib: see server.js:3, or /home/project/x and server.js:4",
    ["server.js 3 1", "server.js 4 1"],
  ],
  ["node_modules/x/index.js:4:2, http://localhost:3000/, at 12:30", []],
])("finds locations in “%s”", (text, expected) => {
  expect(named(text)).toEqual(expected);
  expect(
    filePlaces(text, files)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});
