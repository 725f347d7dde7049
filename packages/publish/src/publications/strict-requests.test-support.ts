/** A request as received by an app. */
export interface SeenRequest {
  method: string;
  target: string;
  /** Names in lower case. */
  headers: [name: string, value: string][];
  body: string;
}

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~\w]+) (\/[!-"$-~]*) HTTP\/1\.1$/;
const FIELD =
  /^([!#$%&'*+\-.^_`|~\w]+): ?((?:[!-~\x80-\xff](?:[ \t!-~\x80-\xff]*[!-~\x80-\xff])?)?)$/;

/**
 * Parses all data of one connection as requests, strictly by RFC 9112: one Host, one framing,
 * nothing that another server could parse differently. An incomplete request is left for later.
 * @param text in Latin-1
 * @throws Error on the first byte that is not part of such a request
 */
export function readStrictly(text: string): { requests: SeenRequest[]; rest: string } {
  const requests: SeenRequest[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return { requests, rest };
    const [line = "", ...lines] = rest.slice(0, end).split("\r\n");
    const [, method, target] = REQUEST_LINE.exec(line) ?? [];
    if (method === undefined || target === undefined) throw new Error(`no request line: ${line}`);
    const headers = lines.map((one): [string, string] => {
      const [, name, value] = FIELD.exec(one) ?? [];
      if (name === undefined) throw new Error(`no header: ${one}`);
      return [name.toLowerCase(), value!];
    });
    const all = (name: string) => headers.filter(([one]) => one === name).map(([, value]) => value);
    const [lengths, encodings] = [all("content-length"), all("transfer-encoding")];
    if (all("host").length !== 1) throw new Error("not one host");
    if (lengths.length + encodings.length > 1) throw new Error("two ways to end");
    if (!encodings.every((value) => value === "chunked")) throw new Error("an encoding");
    if (!lengths.every((value) => /^\d+$/.test(value))) throw new Error("no length");
    const behind = rest.slice(end + 4);
    const read =
      encodings.length > 0 ? readChunks(behind) : readLength(behind, Number(lengths[0] ?? 0));
    if (!read) return { requests, rest };
    requests.push({ method, target, headers, body: read.body });
    rest = read.rest;
  }
}

const readLength = (text: string, length: number) =>
  text.length < length ? undefined : { body: text.slice(0, length), rest: text.slice(length) };

function readChunks(text: string): { body: string; rest: string } | undefined {
  let [body, rest] = ["", text];
  for (;;) {
    const end = rest.indexOf("\r\n");
    if (end === -1) return undefined;
    const digits = rest.slice(0, end);
    if (!/^[0-9a-f]+$/i.test(digits)) throw new Error(`no size of a chunk: ${digits}`);
    const size = Number.parseInt(digits, 16);
    const chunk = rest.slice(end + 2);
    if (chunk.length < size + 2) return undefined;
    if (chunk.slice(size, size + 2) !== "\r\n") throw new Error("a chunk of another size");
    body += chunk.slice(0, size);
    rest = chunk.slice(size + 2);
    if (size === 0) return { body, rest };
  }
}
