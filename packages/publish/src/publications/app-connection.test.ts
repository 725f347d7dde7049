import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Duplex, PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { readRequestTarget } from "@treadle/common";
import { AppConnection, ConnectionClosed, type AppRequest } from "./app-connection.ts";

/** An app that reads nothing. */
const slowApp = () => new Duplex({ highWaterMark: 1_024, read() {}, write() {} });

/** A fully received request body, in chunks. */
function bodyOf(text: string): IncomingMessage {
  const headers = { "transfer-encoding": "chunked" };
  const body = Object.assign(new PassThrough(), { headers });
  body.end(text);
  return body as unknown as IncomingMessage;
}

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const HEAD = "POST / HTTP/1.1\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";

const posted = (body: IncomingMessage): AppRequest => ({
  method: "POST",
  target: readRequestTarget("/")!,
  headers: [],
  framing: { kind: "chunked" },
  body,
});

const nobody = { onHead() {}, onPiece() {}, onWait() {}, onEnd() {}, onError() {} };

describe("a connection to an app that answers before it has read the whole request", () => {
  it("is not reused: the rest of a chunked body would precede the next request", async () => {
    const app = slowApp();
    const lines: string[] = [];
    const ended = Promise.withResolvers<void>();
    const connection = new AppConnection(
      async () => app,
      () => lines.push("free"),
      () => lines.push("closed"),
    );
    const body = bodyOf("x".repeat(60_000));
    connection.ask(posted(body), { ...nobody, onEnd: ended.resolve, onError: ended.reject });
    await expect.poll(() => body.readableEnded && app.writableNeedDrain).toBe(true);
    app.push(ANSWER);
    await ended.promise;
    expect(lines).toEqual(["closed"]);
    expect(app.destroyed).toBe(true);
  });

  it("sends the available body together with the head: if the app closed in between, its answer would be lost", async () => {
    const sent: string[] = [];
    const app = new Duplex({
      read() {},
      write(piece: Buffer, _, done) {
        sent.push(piece.toString("latin1"));
        done();
      },
      writev(pieces, done) {
        sent.push(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)).toString("latin1"));
        done();
      },
    });
    const connection = new AppConnection(
      async () => app,
      () => {},
      () => {},
    );
    connection.ask(posted(bodyOf("its body")), nobody);
    await expect.poll(() => sent.join("")).toContain("its body");
    expect(sent[0]).toBe(`${HEAD}8\r\nits body\r\n0\r\n\r\n`);
    app.destroy();
  });
});

describe("a connection to an app that breaks before a listener is attached", () => {
  it("is reported as closed", async () => {
    const app = slowApp();
    await once(app.destroy(), "close");
    const failed = Promise.withResolvers<Error>();
    const connection = new AppConnection(
      async () => app,
      () => {},
      () => {},
    );
    connection.ask(
      { ...posted(bodyOf("")), framing: { kind: "none" } },
      { ...nobody, onError: failed.resolve },
    );
    expect(await failed.promise).toBeInstanceOf(ConnectionClosed);
  });
});
