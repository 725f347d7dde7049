import { describe, expect, it } from "vitest";
import { readShareHost, shareOrigin } from "./share-host.ts";

const ID = "abcdefgh234567ab";

describe("the host of a link", () => {
  it("is below localhost, or below the domain for all apps if there is one", () => {
    const here = { appOrigin: "http://localhost:4173", appsDomain: undefined };
    expect(shareOrigin(ID, here)).toBe(`http://share-${ID}.localhost:4173`);
    const domain = { ...here, appsDomain: "apps.example.com" };
    expect(shareOrigin(ID, domain)).toBe(`https://share-${ID}.apps.example.com`);
  });

  it.each([
    [`share-${ID}.localhost`, ID],
    [`SHARE-${ID}.localhost:4173`, ID],
    [`share-${ID}.apps.example.com`, ID],
    [`share-${ID}.apps.example.com.`, ID],
    [`share-${ID}.example.com`, undefined],
    [`share-${ID}.apps.example.com.evil.example`, undefined],
    [`share-${ID}x.localhost`, undefined],
    [`share-${ID}--3000.localhost`, undefined],
    [`x.share-${ID}.localhost`, undefined],
    ["localhost", undefined],
    [undefined, undefined],
  ])("%s is that of %s", (host, id) => {
    expect(readShareHost(host, "apps.example.com")).toBe(id);
  });
});
