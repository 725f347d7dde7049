import { expect, it } from "vitest";
import { readPackageRequest } from "./package-request.ts";

const registry = new URL("https://npm.example/npm/");
const INSTALL = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";
const read = (path: string, accept?: string) =>
  readPackageRequest(new URL(`https://npm.example${path}`), registry, accept);

it("recognises archives, of scoped packages too, with their version", () => {
  expect(read("/npm/left-pad/-/left-pad-1.3.0.tgz")).toEqual({ name: "left-pad", version: "1.3.0" }); // prettier-ignore
  expect(read("/npm/@types/node/-/node-24.1.0-rc.1.tgz")).toEqual({ name: "@types/node", version: "24.1.0-rc.1" }); // prettier-ignore
  expect(read("/npm/@types%2fnode/-/node-24.1.0.tgz")).toEqual({ name: "@types/node", version: "24.1.0" }); // prettier-ignore
  expect(read("/npm//left-pad/-/left-pad-1.3.0.tgz?x=1")).toEqual({ name: "left-pad", version: "1.3.0" }); // prettier-ignore
});

it("takes the package from its place in the path, not from the name of the file", () => {
  expect(read("/npm/known/-/evil-1.0.0.tgz")).toEqual({ name: "known", version: undefined });
});

it("tells an install's metadata from that of somebody who only looks", () => {
  expect(read("/npm/react", INSTALL)).toEqual({ name: "react" });
  expect(read("/npm/@types%2fnode", INSTALL)).toEqual({ name: "@types/node" });
  expect(read("/npm/react", "application/json")).toBeUndefined();
  expect(read("/npm/react/19.0.0")).toBeUndefined();
});

it("names no package for any other address", () => {
  for (const path of [
    "/elsewhere/react-1.0.0.tgz",
    "/npm/download/react/1.0.0/abc",
    "/npm/",
    "/npm/a%252f..%252fb/-/b-1.0.0.tgz",
  ])
    // prettier-ignore
    expect([path, read(path)]).toEqual([path, {}]);
});
