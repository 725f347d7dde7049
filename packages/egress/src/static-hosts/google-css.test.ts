import { describe, expect, it } from "vitest";
import { asGoogleCss, readGoogleCss } from "./google-css.ts";

const read = (rest: string) => readGoogleCss(new URL(`https://fonts.googleapis.com${rest}`));

describe("a request for a style sheet of fonts", () => {
  it("is parsed from the address that Next creates", () => {
    expect(read("/css2?family=Geist+Mono:wght@100..900&display=swap")).toEqual({
      families: [
        { family: "Geist Mono", variable: true, styles: [{ weight: 100, italic: false }] },
      ],
      display: "swap",
    });
  });

  it("is parsed with styles, several families, and without any", () => {
    expect(read("/css2?family=Lora:ital,wght@0,400;1,700&family=Inter")?.families).toEqual([
      {
        family: "Lora",
        variable: false,
        styles: [
          { weight: 400, italic: false },
          { weight: 700, italic: true },
        ],
      },
      { family: "Inter", variable: false, styles: [{ weight: 400, italic: false }] },
    ]);
  });

  it("is parsed in the older format", () => {
    expect(read("/css?family=Roboto:400,700i|Open+Sans")?.families).toMatchObject([
      {
        family: "Roboto",
        styles: [
          { weight: 400, italic: false },
          { weight: 700, italic: true },
        ],
      },
      { family: "Open Sans", styles: [{ weight: 400, italic: false }] },
    ]);
  });

  it("is rejected at another address, and with names that lead elsewhere", () => {
    expect(read("/icon?family=Material+Icons")).toBeUndefined();
    expect(read("/css2?family=../../evil")?.families).toEqual([]);
    expect(read("/css2?family=a%2Fb")?.families).toEqual([]);
  });
});

it("font faces of a package are written in Google's format", () => {
  const sheet = `/* geist-latin-ext-wght-normal */
@font-face {
  font-family: 'Geist Variable';
  font-style: normal;
  font-display: swap;
  font-weight: 100 900;
  src: url(./files/geist-latin-ext-wght-normal.woff2) format('woff2-variations');
  unicode-range: U+0100-02BA;
}`;
  const place = "https://fonts.gstatic.com/s/npm/fontsource-variable/geist/";
  expect(asGoogleCss(sheet, { family: "Geist", id: "geist", display: "block", place })).toBe(
    `/* latin-ext */
@font-face {
  font-family: 'Geist';
  font-style: normal;
  font-display: block;
  font-weight: 100 900;
  src: url(${place}geist-latin-ext-wght-normal.woff2) format('woff2');
  unicode-range: U+0100-02BA;
}
`,
  );
});
