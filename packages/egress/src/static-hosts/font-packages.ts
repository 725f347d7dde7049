import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import type { AskRegistry } from "../registry-proxy.ts";
import { asGoogleCss, readGoogleCss, type WantedFamily } from "./google-css.ts";
import { readArchive } from "./read-archive.ts";
import type { StandIn } from "./static-host-server.ts";

const MANIFEST_LIMIT = 8 * 1024 * 1024;
const ARCHIVE_LIMIT = 64 * 1024 * 1024;
/** Bytes of the font cache; the least recently used fonts are dropped. */
const KEPT_LIMIT = 96 * 1024 * 1024;
const ASK_MS = 60_000;

const PLACE = "https://fonts.gstatic.com/s/npm/";

type Files = Map<string, Buffer>;

/**
 * Google's fonts from npm packages (`@fontsource/*`), for machines that reach the registry but not
 * Google: an app that uses them builds, and looks as intended.
 */
export function createFontPackages(ask: AskRegistry, registry: URL): StandIn {
  const retained = new Map<string, Promise<Files | undefined>>();
  const sizes = new Map<string, number>();

  function load(name: string): Promise<Files | undefined> {
    const known = retained.get(name);
    const loading = known ?? fetchPackage(name).catch(() => undefined);
    // Moved to the end as the most recently used.
    retained.delete(name);
    retained.set(name, loading);
    if (known === undefined)
      void loading.then((files) => {
        if (!files) return void retained.delete(name);
        sizes.set(
          name,
          [...files.values()].reduce((sum, { length }) => sum + length, 0),
        );
        for (const old of retained.keys()) {
          const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
          if (all <= KEPT_LIMIT || old === name) break;
          retained.delete(old);
          sizes.delete(old);
        }
      });
    return loading;
  }

  async function fetchPackage(name: string): Promise<Files | undefined> {
    const manifest = await read(new URL(name.replace("/", "%2f"), registry), MANIFEST_LIMIT);
    if (!manifest) return undefined;
    const { "dist-tags": tags, versions } = JSON.parse(manifest.toString()) as {
      "dist-tags": { latest: string };
      versions: Record<string, { dist: { tarball: string; integrity?: string } }>;
    };
    const { tarball, integrity } = versions[tags.latest]!.dist;
    const archive = await read(new URL(tarball), ARCHIVE_LIMIT);
    if (!archive || !isWhole(archive, integrity)) return undefined;
    return readArchive(archive, (path) => /^(?:[\w-]+\.css|files\/[\w.[\]-]+\.woff2)$/.test(path));
  }

  async function read(url: URL, limit: number): Promise<Buffer | undefined> {
    const signal = AbortSignal.timeout(ASK_MS);
    const answer: IncomingMessage = await ask(
      url,
      { method: "GET", headers: { accept: "application/vnd.npm.install-v1+json, */*;q=0.8" } },
      signal,
    );
    if (answer.statusCode !== 200) {
      answer.resume();
      return undefined;
    }
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > limit) return void answer.destroy();
      pieces.push(piece);
    }
    const bytes = Buffer.concat(pieces);
    const { "content-encoding": encoding } = answer.headers;
    return encoding === "gzip" ? gunzipSync(bytes, { maxOutputLength: limit }) : bytes;
  }

  async function sheetOf(family: WantedFamily, display: string): Promise<string | undefined> {
    const id = family.family.toLowerCase().replaceAll(" ", "-");
    const kinds = family.variable ? ["-variable", ""] : ["", "-variable"];
    for (const kind of kinds) {
      const name = `@fontsource${kind}/${id}`;
      const files = await load(name);
      if (!files) continue;
      const sheets = new Set(
        family.styles.map(({ weight, italic }) =>
          kind === ""
            ? `${weight}${italic ? "-italic" : ""}.css`
            : `${italic ? "wght-italic" : "index"}.css`,
        ),
      );
      const place = `${PLACE}${name.slice(1)}/`;
      const text = [...sheets]
        .map((sheet) => files.get(sheet)?.toString() ?? "")
        .map((sheet) => asGoogleCss(sheet, { family: family.family, id, display, place }))
        .join("");
      if (text !== "") return text;
    }
    return undefined;
  }

  return async (url) => {
    if (url.host === "fonts.googleapis.com") {
      const asked = readGoogleCss(url);
      if (!asked || asked.families.length === 0) return undefined;
      const sheets = await Promise.all(asked.families.map((one) => sheetOf(one, asked.display)));
      // An incomplete style sheet would be mistaken for a complete one.
      if (sheets.includes(undefined)) return undefined;
      return { type: "text/css; charset=utf-8", body: Buffer.from(sheets.join("")) };
    }
    const [, name, file] =
      /^\/s\/npm\/(fontsource(?:-variable)?\/[a-z0-9-]+)\/([\w.[\]-]+\.woff2)$/.exec(
        url.pathname,
      ) ?? [];
    if (url.host !== "fonts.gstatic.com" || !name || !file) return undefined;
    const body = (await load(`@${name}`))?.get(`files/${file}`);
    return body && { type: "font/woff2", body };
  };
}

function isWhole(archive: Buffer, integrity: string | undefined): boolean {
  const [, kind = "", digest] = /^(sha512|sha1)-(\S+)/.exec(integrity ?? "") ?? [];
  return digest === undefined || createHash(kind).update(archive).digest("base64") === digest;
}
