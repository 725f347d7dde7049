import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextUse, tokensOf } from "./measure.ts";
import { pictureSize, pictureTokens, sizeInAddress } from "./picture-tokens.ts";

const png = (width: number, height: number, more = 0) => {
  const bytes = Buffer.alloc(33 + more);
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 0, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const addressOf = (bytes: Buffer) => `data:image/png;base64,${bytes.toString("base64")}`;

describe("a picture's tokens", () => {
  it.each([
    // Examples from the providers' documentation.
    ["anthropic:claude-sonnet-5-5", 1_092, 1_092, 1_590],
    ["anthropic:claude-sonnet-5-5", 200, 200, 54],
    ["openrouter:anthropic/claude-sonnet-5.5", 1_000, 1_000, 1_334],
    ["openai:gpt-5.6", 1_024, 1_024, 765],
    ["openai:gpt-5.6", 2_048, 4_096, 1_105],
    ["google:gemini-pro-latest", 300, 300, 258],
    ["google:gemini-pro-latest", 1_536, 768, 516],
  ])("are as %s counts them: %i × %i", (model, width, height, tokens) => {
    expect(pictureTokens({ width, height }, model)).toBe(tokens);
  });

  it("are bounded for pictures of any size", () => {
    const size = { width: 20_000, height: 20_000 };
    expect(pictureTokens(size, "anthropic:claude-opus-5-5")).toBeLessThan(3_500);
    expect(pictureTokens(size, "openai:gpt-5.6")).toBeLessThan(1_500);
  });

  it("do not include the encoded bytes, neither in the figure nor for compaction", () => {
    const url = addressOf(png(1_000, 750, 800_000));
    const message = {
      id: "m",
      role: "user" as const,
      parts: [{ type: "file" as const, mediaType: "image/png", url }],
    };
    const model = "anthropic:claude-sonnet-5-5";
    expect(tokensOf([message], model)).toBe(1_000);
    const use = contextUse(new Map(), [message], { withPictures: true, model });
    expect(use.parts.pictures).toBe(1_000);
  });
});

describe("a picture's size", () => {
  it("is read from a PNG, a GIF, a WebP and a JPEG", () => {
    expect(sizeInAddress(addressOf(png(640, 480)))).toEqual({ width: 640, height: 480 });
    const gif = Buffer.from("GIF89a\x20\x03\x58\x02", "latin1");
    expect(pictureSize(gif)).toEqual({ width: 800, height: 600 });
    const webp = Buffer.alloc(30);
    webp.write("RIFF\0\0\0\0WEBPVP8 ", 0, "latin1");
    webp.writeUInt16LE(320, 26);
    webp.writeUInt16LE(200, 28);
    expect(pictureSize(webp)).toEqual({ width: 320, height: 200 });
    const jpeg = Buffer.from("ffd8ffe000040000ffc0001108012c0190", "hex");
    expect(pictureSize(jpeg)).toEqual({ width: 400, height: 300 });
  });

  it("is read from any bytes without throwing or looping", () => {
    const starts = ["", "\x89PNG", "GIF89a", "RIFF\0\0\0\0WEBPVP8X", "\xff\xd8\xff\xe0"];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const size = pictureSize(Buffer.concat([Buffer.from(start, "latin1"), rest]));
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
      }),
    );
  });
});
