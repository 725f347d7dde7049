import { randomUUID } from "node:crypto";

interface Part {
  name: string;
  filename?: string;
  type: string;
  content: Uint8Array;
}

/** Encodes a form as `multipart/form-data` (RFC 7578). Names must not come from users. */
export function multipart(parts: readonly Part[]): {
  headers: Record<string, string>;
  body: Uint8Array;
} {
  const boundary = `treadle-${randomUUID()}`;
  const pieces = parts.flatMap(({ name, filename, type, content }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    content,
    Buffer.from("\r\n"),
  ]);
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
