import type { Publication } from "@treadle/protocol";
import { afterEach, expect, it, vi } from "vitest";
import { tellPublication } from "./tell-publication.ts";

afterEach(() => vi.restoreAllMocks());

const publication = {
  name: "clock",
  address: "http://clock.localhost:4173/",
  publicAddresses: [],
  releases: [],
} as unknown as Publication;

function printed(source: Partial<Publication>): string {
  let out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  expect(tellPublication({ ...publication, ...source }, undefined, false)).toBe(0);
  return out;
}

it("prints the published release, and its address last", () => {
  expect(printed({ current: 2 })).toBe("Release 2 is published.\nhttp://clock.localhost:4173/\n");
});

it("reports an address without a release as not answering yet", () => {
  expect(printed({})).toBe(
    "Nothing is published yet. Once it is, its address is\nhttp://clock.localhost:4173/\n",
  );
});
