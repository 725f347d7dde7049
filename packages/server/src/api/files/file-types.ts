import { PROJECT_FILE_POLICY } from "../../access/headers.ts";

/** File types that may be shown inline; everything else is a download. */
const IN_PLACE: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  ico: "image/x-icon",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  m4a: "audio/mp4",
  aac: "audio/aac",
  flac: "audio/flac",
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  ogv: "video/ogg",
  mov: "video/quicktime",
};

const DOWNLOADS: Record<string, string> = {
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml",
  css: "text/css; charset=utf-8",
  json: "application/json",
  pdf: "application/pdf",
  zip: "application/zip",
};

/** The content type of a raw file, and whether it may be shown inline. */
export function fileType(path: string): { type: string; inPlace: boolean } {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const shown = Object.hasOwn(IN_PLACE, extension) ? IN_PLACE[extension] : undefined;
  if (shown) return { type: shown, inPlace: true };
  const known = Object.hasOwn(DOWNLOADS, extension) ? DOWNLOADS[extension] : undefined;
  return { type: known ?? "application/octet-stream", inPlace: false };
}

/** A `Content-Disposition` that makes a response a download; the name may contain any characters. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`;
}

const PDF_BEGINS = "%PDF-";

/** Whether a file is a PDF, by its name and its first bytes. */
export const isPdf = (path: string, bytes: Uint8Array): boolean =>
  /\.pdf$/i.test(path) &&
  Buffer.from(bytes.subarray(0, PDF_BEGINS.length)).toString("latin1") === PDF_BEGINS;

/** Headers for raw project content, which must never run on the app's own origin (A17). */
export function rawHeaders(path: string): Record<string, string> {
  const { type, inPlace } = fileType(path);
  const name = path.split("/").at(-1) ?? path;
  return {
    "content-type": type,
    "content-security-policy": PROJECT_FILE_POLICY,
    "content-disposition": inPlace ? "inline" : attachment(name),
  };
}
