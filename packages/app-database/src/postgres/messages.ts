/** Messages of a PostgreSQL server (its documentation, “Message Formats”), for clients. */

function message(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? text(part) : part)));
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const text = (value: string) => Buffer.from(`${value}\0`);

const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** A server's messages after a successful sign-in. */
export const welcome = (
  parameters: ReadonlyMap<string, string>,
  key: { process: number; secret: number },
): Buffer =>
  Buffer.concat([
    message("R", number(0)),
    ...[...parameters].map(([name, value]) => message("S", name, value)),
    message("K", number(key.process), number(key.secret)),
    message("Z", Buffer.from("I")),
  ]);

/**
 * A refusal.
 * @param code of PostgreSQL's list, five letters
 */
export const refusal = (code: string, words: string): Buffer =>
  message(
    "E",
    ...["SFATAL", "VFATAL", `C${code}`, `M${words}`].map((field) => text(field)),
    Buffer.alloc(1),
  );
