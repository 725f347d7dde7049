import { expect, it } from "vitest";
import { kindOfFile } from "./kind-of-file.ts";

it("depends on a file's extension, in any case, and not on the rest of its name", () => {
  expect(kindOfFile("src/App.TSX")).toBe("code");
  expect(kindOfFile("package.json")).toBe("data");
  expect(kindOfFile("public/logo.svg")).toBe("image");
  expect(kindOfFile("json/readme")).toBe("other");
});
