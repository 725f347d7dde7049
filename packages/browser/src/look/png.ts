import { inflateSync } from "node:zlib";

/** A decoded picture of a page. */
export interface Pixels {
  width: number;
  height: number;
  /** Bytes per pixel: red, green, blue, and optionally alpha. */
  depth: number;
  data: Uint8Array;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const HEADER = 8;
/** Maximum number of pixels: three times that of the largest picture taken. */
const POINTS = 16_000_000;

/**
 * Decodes a PNG as browsers write screenshots: 8 bits, colour, not interlaced. Throws for any
 * other.
 */
export function readPng(bytes: Uint8Array): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const depth = { 2: 3, 6: 4 }[view.getUint8(25)];
  if (view.getUint8(24) !== 8 || depth === undefined || view.getUint8(28) !== 0)
    throw new Error("This picture does not come from a browser.");
  // A compromised browser could state any size (A99).
  if (width * height > POINTS) throw new Error("This picture is too large.");
  const pieces: Uint8Array[] = [];
  for (let at = HEADER; at < bytes.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === "IDAT") pieces.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const packed = inflateSync(Buffer.concat(pieces), {
    maxOutputLength: Math.max(1, (width * depth + 1) * height),
  });
  return { width, height, depth, data: unfilter(packed, width * depth, height, depth) };
}

/**
 * Undoes the line filters: each line is stored as a difference from its neighbours, in one of five
 * ways.
 */
function unfilter(packed: Uint8Array, line: number, height: number, depth: number): Uint8Array {
  const data = new Uint8Array(line * height);
  for (let row = 0; row < height; row++) {
    const way = packed[row * (line + 1)];
    const from = row * (line + 1) + 1;
    const to = row * line;
    for (let index = 0; index < line; index++) {
      const left = index < depth ? 0 : data[to + index - depth]!;
      const up = row === 0 ? 0 : data[to + index - line]!;
      const corner = row === 0 || index < depth ? 0 : data[to + index - line - depth]!;
      data[to + index] = packed[from + index]! + predicted(way, left, up, corner);
    }
  }
  return data;
}

function predicted(way: number | undefined, left: number, up: number, corner: number): number {
  if (way === 1) return left;
  if (way === 2) return up;
  if (way === 3) return (left + up) >> 1;
  if (way !== 4) return 0;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [guess - left, guess - up, guess - corner].map(Math.abs);
  if (toLeft! <= toUp! && toLeft! <= toCorner!) return left;
  return toUp! <= toCorner! ? up : corner;
}

/** The range of colours in a picture, or in a part of it, from 0 (one colour) to 255. */
export function spread({ width, height, depth, data }: Pixels, box?: Box): number {
  const [x, y] = [Math.max(0, Math.floor(box?.x ?? 0)), Math.max(0, Math.floor(box?.y ?? 0))];
  const right = Math.min(width, Math.ceil(box ? box.x + box.width : width));
  const bottom = Math.min(height, Math.ceil(box ? box.y + box.height : height));
  const least = [255, 255, 255];
  const most = [0, 0, 0];
  for (let row = y; row < bottom; row++)
    for (let column = x; column < right; column++)
      for (let colour = 0; colour < 3; colour++) {
        const value = data[(row * width + column) * depth + colour]!;
        if (value < least[colour]!) least[colour] = value;
        if (value > most[colour]!) most[colour] = value;
      }
  return Math.max(...most.map((value, colour) => value - least[colour]!), 0);
}
