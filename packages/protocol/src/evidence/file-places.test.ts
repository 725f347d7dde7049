import { expect, it } from "vitest";
import { toProjectPath } from "../project-path/index.ts";
import { filePlaces } from "./file-places.ts";

const files = new Set(
  ["src/App.tsx", "public/app.js", "server.js", "app/[id]/page.tsx"].map(toProjectPath),
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
  ["node_modules/x/index.js:4:2, http://localhost:3000/, at 12:30", []],
])("the places of “%s”", (text, wanted) => {
  expect(named(text)).toEqual(wanted);
  expect(
    filePlaces(text, files)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});
