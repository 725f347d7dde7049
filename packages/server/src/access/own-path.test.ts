import { expect, it } from "vitest";
import { ownPath } from "./own-path.ts";

it("stays on its host, with path, query and fragment", () => {
  expect(ownPath("/device?code=AB-CD#x")).toBe("/device?code=AB-CD#x");
  expect(ownPath("projects/a b")).toBe("/projects/a%20b");
  for (const none of [undefined, null, ""]) expect(ownPath(none)).toBe("/");
});

it.each([
  "https://evil.example/x",
  "//evil.example/x",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "\n//evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "javascript:alert(1)",
  "http://own.invalid@evil.example",
])("A228 leads nowhere else with %j", (address) => {
  const path = ownPath(address);
  expect(new URL(path, "https://builder.example.org").host).toBe("builder.example.org");
  expect(path).toMatch(/^\/(?![/\\])/);
});
