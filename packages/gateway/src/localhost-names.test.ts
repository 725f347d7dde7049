import { describe, expect, it } from "vitest";
import { neighbourOf, previewLocation } from "./localhost-names.ts";

const APP = "http://localhost:4173";

describe("a page on one port that requests another port of its project", () => {
  const locationOf = (host: string, origin: string | undefined) =>
    neighbourOf({ host, origin }, 4000, 5173);

  it("is identified as the app knows it", () => {
    const page = "http://abc.localhost:4173";
    expect(locationOf("abc--4000.localhost:4173", page)).toEqual({
      origin: "http://localhost:5173",
      host: "localhost:4000",
      page,
    });
    expect(locationOf("abc--4000.localhost:4173", "http://abc--3000.localhost:4173")?.origin).toBe(
      "http://localhost:3000",
    );
  });

  it("is identified on a domain of its own as well, and only there", () => {
    const page = "https://abc.apps.example.net";
    expect(locationOf("abc--4000.apps.example.net", page)).toMatchObject({
      host: "localhost:4000",
      page,
    });
    expect(locationOf("abc--4000.apps.example.net", "https://abc.evil.example")).toBeUndefined();
  });

  it("is undefined if it requests its own port, or is no page of this project", () => {
    expect(locationOf("abc.localhost:4173", "http://abc.localhost:4173")).toBeUndefined();
    for (const origin of [undefined, "null", APP, "http://def.localhost:4173", "https://x.com"])
      expect(locationOf("abc--4000.localhost:4173", origin)).toBeUndefined();
  });
});

describe("the redirect target of a response", () => {
  const locationOf = (location: string) =>
    previewLocation(location, { own: "http://abc.localhost:4173", port: 5173 });

  it("is the preview, if the app names localhost", () => {
    expect(locationOf("http://localhost:5173/a?b#c")).toBe("/a?b#c");
    expect(locationOf("https://127.0.0.1:5173/a")).toBe("/a");
    expect(locationOf("http://localhost:4000/a")).toBe("http://abc--4000.localhost:4173/a");
  });

  it("is unchanged otherwise", () => {
    for (const location of ["/a", "a", "//x.com/", "https://x.com/a", "mailto:a@b.c"])
      expect(locationOf(location)).toBeUndefined();
  });
});
