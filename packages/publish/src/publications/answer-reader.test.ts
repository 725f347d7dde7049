import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerReader, type AnswerHead, type Read } from "./answer-reader.ts";

interface Seen {
  heads: AnswerHead[];
  body: string;
  ends: number;
  /** The result of reading each chunk. */
  reads: Read[];
  keepsMs: number;
}

/** Reads one answer that arrives in these chunks. */
function readAll(pieces: Buffer[], isToHead = false): Seen {
  const reader = new AnswerReader();
  const seen: Seen = { heads: [], body: "", ends: 0, reads: [], keepsMs: 0 };
  const body: Buffer[] = [];
  const sink = {
    onHead: (head: AnswerHead) => void seen.heads.push(head),
    onPiece: (piece: Buffer) => {
      expect(piece.length).toBeGreaterThan(0);
      body.push(piece);
    },
    onEnd: () => void seen.ends++,
  };
  reader.begin(sink, isToHead);
  for (const piece of pieces) seen.reads.push(reader.read(piece));
  seen.body = Buffer.concat(body).toString("latin1");
  seen.keepsMs = reader.keepsMs;
  return seen;
}

const head = (...lines: string[]) => [...lines, "", ""].join("\r\n");
const read = (text: string, isToHead?: boolean) => readAll([Buffer.from(text, "latin1")], isToHead);

/** Splits bytes at arbitrary positions. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % bytes.length))].toSorted((a, b) => a - b);
  return [...at.filter((place) => place > 0), bytes.length].map((end, index, all) =>
    bytes.subarray(all[index - 1] ?? 0, end),
  );
}

const token = fc.stringMatching(/^x-[a-z0-9-]{1,12}$/);
const value = fc.stringMatching(/^(?:[!-~\x80-\xff](?:[ -~\x80-\xff]{0,40}[!-~\x80-\xff])?)?$/);
const bytes = fc.uint8Array({ maxLength: 2_000 }).map((all) => Buffer.from(all));

const answers = fc.record({
  before: fc.array(fc.constantFrom("100 Continue", "103 Early Hints"), { maxLength: 2 }),
  status: fc.constantFrom(200, 201, 301, 404, 500),
  words: fc.constantFrom("", "OK", "As it was"),
  lines: fc.array(fc.tuple(token, value), { maxLength: 8 }),
  body: fc.array(bytes, { maxLength: 4 }),
  framing: fc.constantFrom("length", "chunks"),
  trailers: fc.array(fc.tuple(token, value), { maxLength: 2 }),
  cuts: fc.array(fc.nat(), { maxLength: 12 }),
});

describe("reading an answer", () => {
  it("has the same result wherever the bytes are split", () => {
    fc.assert(
      fc.property(answers, ({ before, status, words, lines, body, framing, trailers, cuts }) => {
        const shown = lines.map(([name, text]) => `${name}: ${text}`);
        const full = Buffer.concat(body);
        const framed =
          framing === "length" ? `Content-Length: ${full.length}` : "Transfer-Encoding: chunked";
        const sent = Buffer.concat([
          ...before.map((one) => Buffer.from(head(`HTTP/1.1 ${one}`, "Link: </a.css>"))),
          Buffer.from(head(`HTTP/1.1 ${status} ${words}`, ...shown, framed), "latin1"),
          ...(framing === "length"
            ? [full]
            : [
                ...body
                  .filter(({ length }) => length > 0)
                  .flatMap((piece) => [
                    Buffer.from(`${piece.length.toString(16)};x=y\r\n`),
                    piece,
                    Buffer.from("\r\n"),
                  ]),
                Buffer.from(head("0", ...trailers.map(([name, text]) => `${name}: ${text}`)), "latin1"), // prettier-ignore
              ]),
        ]);
        const seen = readAll(cut(sent, cuts));
        expect(seen.heads).toEqual([
          {
            status,
            words,
            lines: [...lines.flat(), ...framed.toLowerCase().split(": ")],
            length: framing === "length" ? full.length : undefined,
          },
        ]);
        expect(seen.body).toBe(full.toString("latin1"));
        expect([seen.ends, seen.keepsMs]).toEqual([1, Number.POSITIVE_INFINITY]);
        expect(seen.reads.map((one) => one === "whole")).toEqual(
          seen.reads.map((_, index) => index === seen.reads.length - 1),
        );
      }),
    );
  });

  it("reports with the last chunk whether more bytes followed", () => {
    const one = `${head("HTTP/1.1 200 OK", "Content-Length: 2")}ok`;
    const other = `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}2\r\nok\r\n0\r\n\r\n`;
    for (const answer of [one, other]) {
      expect(read(answer).reads).toEqual(["whole"]);
      expect(read(`${answer}H`).reads).toEqual(["surplus"]);
    }
    expect(read(`${head("HTTP/1.1 204 No Content", "Content-Length: 5")}hello`)).toMatchObject({
      reads: ["surplus"],
      body: "",
    });
    expect(new AnswerReader().read(Buffer.from("H"))).toBe("surplus");
  });

  it("ends at the head if there is no body, and with the connection if no length is given", () => {
    for (const status of ["204 No Content", "304 Not Modified"])
      expect(read(head(`HTTP/1.1 ${status}`)).reads).toEqual(["whole"]);
    for (const line of ["Content-Length: 9", "Transfer-Encoding: chunked", "X: y"])
      expect(read(head("HTTP/1.1 200 OK", line), true).reads).toEqual(["whole"]);
    const reader = new AnswerReader();
    let ends = 0;
    reader.begin({ onHead() {}, onPiece() {}, onEnd: () => void ends++ }, false);
    expect(reader.read(Buffer.from(`${head("HTTP/1.1 200 OK")}all of it`))).toBe("unfinished");
    expect([reader.end(), ends, reader.keepsMs]).toEqual([true, 1, 0]);
  });

  it.each([
    ["HTTP/1.1", [], Number.POSITIVE_INFINITY],
    ["HTTP/1.1", ["Connection: close"], 0],
    ["HTTP/1.1", ["Connection: x, Close"], 0],
    ["HTTP/1.1", ["Connection: keep-alive", "Keep-Alive: timeout=5, max=100"], 5_000],
    ["HTTP/1.1", ["Keep-Alive: timeout=5", "Keep-Alive: max=100"], 5_000],
    ["HTTP/1.0", [], 0],
    ["HTTP/1.0", ["Connection: Keep-Alive"], Number.POSITIVE_INFINITY],
  ])("%s %j is kept for %d ms", (version, lines, ms) => {
    expect(read(head(`${version} 200 OK`, "Content-Length: 0", ...lines)).keepsMs).toBe(ms);
  });

  it.each([
    ["no status", head("HTTP/1.1 OK")],
    ["another protocol", head("SSH-2.0-OpenSSH_9.2")],
    ["another beginning, however it goes on", "hello"],
    ["lines that end without CR, however it goes on", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"],
    ["another version", head("HTTP/2.0 200 OK")],
    ["a change of protocol", head("HTTP/1.1 101 Switching Protocols", "Upgrade: websocket")],
    ["a header without a name", head("HTTP/1.1 200 OK", ": a")],
    ["a header without a colon", head("HTTP/1.1 200 OK", "a", "B: c")],
    ["two lengths", head("HTTP/1.1 200 OK", "Content-Length: 2", "Content-Length: 3")],
    ["lengths in a list", head("HTTP/1.1 200 OK", "Content-Length: 2, 2")],
    ["a length with a sign", head("HTTP/1.1 200 OK", "Content-Length: +2")],
    ["no length", head("HTTP/1.1 200 OK", "Content-Length: ")],
    ["a length and chunks", head("HTTP/1.1 200 OK", "Content-Length: 2", "Transfer-Encoding: chunked")], // prettier-ignore
    ["another encoding", head("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked")],
    ["chunks in chunks", head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked, chunked")],
    ...[
      "\r\n",
      "x\r\n",
      "-1\r\n",
      "0x2\r\n",
      "2 2 \n",
      "2\n",
      "1234567890123\r\n",
      "2\r\nokay\r\n",
    ].map((chunk) => [
      `the chunk ${JSON.stringify(chunk)}`,
      head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + chunk,
    ]),
    ["a size of 5 KB", `${head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked")}1;${"x".repeat(5_000)}`], // prettier-ignore
  ])("is refused if it has %s", (_, text) => {
    expect(() => read(text)).toThrow(/^the answer cannot be read: /);
  });

  it("accepts a repeated `chunked` encoding", () => {
    const twice = ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"];
    const seen = read(`${head("HTTP/1.1 200 OK", ...twice)}2\r\nok\r\n0\r\n\r\n`);
    expect(seen).toMatchObject({ body: "ok", reads: ["whole"] });
  });

  it("accepts any status that Node passes on, and a single length", () => {
    const seen = read(
      `${head("HTTP/1.1 999 Odd", "Content-Length: 2", "A: b", "Content-Length: 2")}ok`,
    );
    expect(seen).toMatchObject({
      heads: [{ status: 999, lines: ["content-length", "2", "a", "b"], length: 2 }],
      body: "ok",
    });
  });

  it("fails if the head does not end, in linear time", () => {
    const reader = new AnswerReader();
    reader.begin({ onHead() {}, onPiece() {}, onEnd() {} }, false);
    reader.read(Buffer.from("HTTP/1.1 200 OK\r\nX: "));
    const one = Buffer.from("x");
    let count = 0;
    expect(() => {
      for (; count < 70_000; count++) reader.read(one);
    }).toThrow(/more than 64 KB of headers/);
    expect(count).toBeGreaterThan(65_000);
  });

  it("reports nothing more after it was dropped", () => {
    const reader = new AnswerReader();
    const events: string[] = [];
    reader.begin(
      {
        onHead: () => void events.push("head"),
        onPiece: () => reader.drop(),
        onEnd: () => void events.push("end"),
      },
      false,
    );
    const pieces = "1\r\na\r\n1\r\nb\r\n0\r\n\r\n";
    reader.read(Buffer.from(head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked") + pieces));
    expect(events).toEqual(["head"]);
    expect(reader.end()).toBe(false);
  });
});
