import { Transform } from "node:stream";

/** Number of characters held back until more arrive: longer than any registry address with its prefix. */
const OVERLAP = 1_024;

/**
 * Replaces one origin with another in the archive addresses of package metadata. npm does that by
 * itself (`replace-registry-host`); other managers use the address unchanged, and would lack this
 * machine's login.
 */
export function rewriteArchives(from: string, to: string): Transform {
  const { host } = new URL(from);
  const pattern = new RegExp(
    `("tarball"\\s{0,8}:\\s{0,8}")https?://${host.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}/`,
    "g",
  );
  // Latin-1 maps every byte to one character and back unchanged.
  let held = "";
  const take = (upTo: number): string => {
    let out = "";
    let at = 0;
    for (const match of held.matchAll(pattern)) {
      if (match.index >= upTo) break;
      out += `${held.slice(at, match.index)}${match[1]}${to}/`;
      at = match.index + match[0].length;
    }
    const end = Math.max(at, upTo);
    out += held.slice(at, end);
    held = held.slice(end);
    return out;
  };
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      held += bytes.toString("latin1");
      done(null, Buffer.from(take(Math.max(0, held.length - OVERLAP)), "latin1"));
    },
    flush(done) {
      done(null, Buffer.from(take(held.length), "latin1"));
    },
  });
}
