import { expect, it } from "vitest";
import { resourcesOf, templatesOf } from "./offers.ts";

it("addresses with spaces are offered, those that no line can hold are not", () => {
  const listed = ["file:///a b.md", "", " note://1", "note://a\nb", "note://a\tb"];
  expect(resourcesOf(listed.map((uri) => ({ uri, name: "A note" })))).toEqual([
    { uri: "file:///a b.md", name: "A note" },
  ]);
  expect(templatesOf([{ uriTemplate: "file:///my notes/{name}", name: "Any" }])).toEqual([
    { uri: "file:///my notes/{name}", name: "Any", template: true },
  ]);
});
