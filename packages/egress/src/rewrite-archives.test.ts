import { expect, it } from "vitest";
import { rewriteArchives } from "./rewrite-archives.ts";

const FROM = "https://npm.corp.example:8443";
const TO = "http://127.0.0.1:4873";

async function through(text: string, size: number): Promise<string> {
  const transform = rewriteArchives(FROM, TO);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) transform.write(bytes.subarray(at, at + size));
  transform.end();
  let out = Buffer.alloc(0);
  for await (const piece of transform) out = Buffer.concat([out, piece as Buffer]);
  return out.toString();
}

const filler = "ä".repeat(1_500);
const document = `{"a":"${filler}","homepage":"${FROM}/home","dist":{"tarball":"${FROM}/x/-/x-1.tgz"},"b":"${filler}",
 "dist2":{"tarball" : "http://npm.corp.example:8443/y.tgz"},"evil":{"tarball":"https://npm.corp.example:8443.evil.com/z.tgz"}}`;

it.each([1, 7, 1_000, 100_000])(
  "rewrites archives only, split into chunks of %i bytes",
  async (size) => {
    const out = await through(document, size);
    expect(out).toContain(`"tarball":"${TO}/x/-/x-1.tgz"`);
    expect(out).toContain(`"tarball" : "${TO}/y.tgz"`);
    expect(out).toContain(`"homepage":"${FROM}/home"`);
    expect(out).toContain("8443.evil.com/z.tgz");
    expect(JSON.parse(out)).toMatchObject({ a: filler, b: filler });
  },
);
