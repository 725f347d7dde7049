import fc from "fast-check";
import { expect, it } from "vitest";
import { createAddressFinder } from "./first-address.ts";

const portOf = (...pieces: string[]) => {
  const find = createAddressFinder();
  let port: number | undefined;
  for (const piece of pieces) port = find(piece);
  return port;
};

it.each([
  ["  ➜  Local:   http://localhost:5173/\n", 5173],
  ["\u001B[36mhttp://localhost:\u001B[1m5173\u001B[22m/\u001B[39m\n", 5173],
  ["API at http://127.0.0.1:3001\nhttp://localhost:5173/\n", 3001],
  ["https://localhost:8443\n", 8443],
  ["http://localhost:99999 then http://localhost:80\n", undefined],
  ["http://example.com:5173\n", undefined],
  ["listening on 3000\n", undefined],
])("finds the address in %j", (text, port) => {
  expect(portOf(text)).toBe(port);
});

it("finds the same first address however the output is split", () => {
  const port = fc.integer({ min: 1, max: 65_535 });
  const cuts = fc.array(fc.nat({ max: 5_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(port, cuts, fc.nat({ max: 2_000 }), (expected, places, before) => {
      const text = `${"x".repeat(before)} http://localhost:${expected}/\n http://localhost:1\n`;
      const sorted = places.map((place) => place % text.length).toSorted((a, b) => a - b);
      const pieces = [...sorted, text.length].map((end, index) =>
        text.slice(index === 0 ? 0 : sorted[index - 1], end),
      );
      expect(portOf(...pieces)).toBe(expected);
    }),
  );
});

it("keeps a limited piece of output without an address", () => {
  const find = createAddressFinder();
  for (let piece = 0; piece < 2_000; piece++) find("nothing to see here ".repeat(50));
  expect(find(" http://localhost:5173/\n")).toBe(5173);
});
