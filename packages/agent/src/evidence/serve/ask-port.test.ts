import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createFakeWorkspace } from "../../testing/fake-workspace.test-support.ts";
import { askPort, brokenRoute } from "./ask-port.ts";

const HTML = { "content-type": "text/html" };
const PAGE = "<!doctype html><html><body>hello</body></html>";
type Serve = (request: IncomingMessage, response: ServerResponse) => void;

async function ask(serve: Serve, files: Record<string, string> = {}, printed = "") {
  const workspace = createFakeWorkspace({ files, serve: () => serve });
  const { ports } = await workspace.start("npm start");
  const parts = {
    workspace,
    signal: new AbortController().signal,
    sleep: async () => {},
    printed: () => printed.replace("PORT", String(ports[0])),
  };
  return { answer: await askPort(ports[0]!, parts), parts, port: ports[0]! };
}
const kindOf = async (serve: Serve, files?: Record<string, string>, printed?: string) => {
  const { answer } = await ask(serve, files, printed);
  return [answer.kind, answer.said];
};

describe("a port that is requested as a browser would", () => {
  it("is a page if it answers with HTML, even an empty one", async () => {
    expect(await kindOf((_, response) => void response.writeHead(200, HTML).end(PAGE))).toEqual([
      "page",
      "GET / answered 200",
    ]);
    expect((await kindOf((_, response) => void response.writeHead(200, HTML).end()))[0]).toBe(
      "page",
    );
  });

  it("is requested again if a request is lost, and that answer counts", async () => {
    let asked = 0;
    const { answer } = await ask((_, response) => {
      // The first one is never answered.
      if (++asked > 1) response.writeHead(200, HTML).end(PAGE);
    });
    expect([answer.kind, asked]).toEqual(["page", 2]);
  });

  it("is a page if its HTML has no content type, as browsers sniff it", async () => {
    expect((await kindOf((_, response) => void response.end(PAGE)))[0]).toBe("page");
  });

  it("is broken if a document has another content type, as browsers then show its source", async () => {
    const [kind, message] = await kindOf(
      (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).end(PAGE),
    );
    expect(kind).toBe("broken");
    expect(message).toContain("HTML as text/plain");
  });

  it("proves nothing if it asks for a user name", async () => {
    const basic = { ...HTML, "www-authenticate": 'Basic realm="x"' };
    const [kind, message] = await kindOf(
      (_, response) => void response.writeHead(401, basic).end(),
    );
    expect(kind).toBe("open");
    expect(message).toContain("asks for a user name");
    expect((await kindOf((_, response) => void response.writeHead(401, HTML).end(PAGE)))[0]).toBe(
      "page",
    );
  });

  it("is data if it answers with something else", async () => {
    const json = { "content-type": "application/json" };
    expect((await kindOf((_, response) => void response.writeHead(200, json).end("[]")))[0]).toBe(
      "data",
    );
  });

  it.each([
    [426, "upgrade"],
    [400, "bad"],
    [405, "no"],
    [200, ""],
    [204, ""],
  ])("proves nothing by %s with “%s”", async (status, body) => {
    expect((await kindOf((_, response) => void response.writeHead(status).end(body)))[0]).toBe(
      "open",
    );
  });

  it("proves nothing if it drops every connection", async () => {
    const [kind, message] = await kindOf((request) => void request.socket.destroy());
    expect(kind).toBe("open");
    expect(message).toContain("answered no request");
  });

  it("is broken by a server error, which is quoted without markup and scripts", async () => {
    const { answer } = await ask(
      (_, response) =>
        void response
          .writeHead(500, HTML)
          .end(
            `<html><script>self.__next_f.push(${"x".repeat(9000)})</script><h1>db is &quot;gone&quot;</h1>`,
          ),
    );
    expect(answer).toMatchObject({ kind: "broken", detail: 'GET / answered 500\ndb is "gone"' });
  });

  it("is requested again if a proxy's server is not up yet", async () => {
    let asked = 0;
    const [kind] = await kindOf((_, response) => {
      if (++asked < 3) response.writeHead(502).end();
      else response.writeHead(200, HTML).end(PAGE);
    });
    expect(kind).toBe("page");
  });

  it("does not wait for the end of a streamed answer", async () => {
    const events = { "content-type": "text/event-stream" };
    const [kind] = await kindOf((_, response) => {
      response.writeHead(200, events);
      response.write("data: 1\n\n");
    });
    expect(kind).toBe("data");
  });
});

describe("redirects", () => {
  it("are followed with the cookies that they set", async () => {
    const { answer } = await ask((request, response) => {
      if (request.headers.cookie?.includes("seen=1")) response.writeHead(200, HTML).end(PAGE);
      else response.writeHead(302, { location: "/", "set-cookie": "seen=1; Path=/" }).end();
    });
    expect(answer.kind).toBe("page");
  });

  it.each([
    ["to itself", () => "/"],
    ["between two", (url: string) => (url === "/" ? "/home" : "/")],
    ["to ever new ones", (url: string) => `${url}x`],
  ])("without end are broken: %s", async (_name, to) => {
    const [kind, message] = await kindOf(
      (request, response) => void response.writeHead(302, { location: to(request.url!) }).end(),
    );
    expect([kind, message]).toEqual(["broken", "GET / is redirected without end"]);
  });

  it("out of the app prove nothing about it", async () => {
    const [kind, message] = await kindOf(
      (_, response) => void response.writeHead(302, { location: "https://example.com/" }).end(),
    );
    expect(kind).toBe("open");
    expect(message).toContain("https://example.com/");
  });
});

describe("an app with nothing at its root", () => {
  const only =
    (path: string, type: string): Serve =>
    (request, response) =>
      void (request.url === path
        ? response
            .writeHead(200, { "content-type": type })
            .end(type === "text/html" ? "<html>there" : "[]")
        : response.writeHead(404).end());

  it.each([
    ["next.config.mjs", "export default { basePath: '/docs' }"],
    ["vite.config.ts", 'export default { base: "/docs" }'],
  ])("is a page where its configuration says that it begins: %s", async (path, content) => {
    const { answer } = await ask(only("/docs", "text/html"), { [path]: content });
    expect(answer).toMatchObject({ kind: "page", path: "/docs" });
  });

  it("is a page if its server prints where it begins", async () => {
    const printed = "Local: http://localhost:PORT/app/";
    const { answer } = await ask(only("/app/", "text/html"), {}, printed);
    expect(answer).toMatchObject({ kind: "page", path: "/app/" });
  });

  it("proves nothing by a page elsewhere, as people begin at the root", async () => {
    const [kind, message] = await kindOf(only("/shop", "text/html"), {
      "server.js": "if (q.url === '/shop') s.end()",
    });
    expect(kind).toBe("open");
    expect(message).toContain("there is a page at /shop");
  });

  it.each([
    ["/v1/ping", "const r = new Router({ prefix: '/v1' }); r.get('/ping', h)"],
    ["/api/todos", "app.register(todos, { prefix: '/api' }); f.get('/todos', h)"],
    ["/api/hello", "new Hono().basePath('/api').get('/hello', h)"],
    ["/api/v1/health", "if (req.url === '/api/v1/health') res.end()"],
    ["/cats", "@Controller('cats') class C { @Get() all() {} }"],
    ["/todos", "app.get('/todos/:id', h); app.get('/todos', h)"],
  ])("is an API where its sources name an address: %s", async (path, source) => {
    const { answer } = await ask(only(path, "application/json"), { "server.ts": source });
    expect(answer).toMatchObject({ kind: "data", path });
  });
});

it("finds an API address that answers with a server error", async () => {
  const { parts, port } = await ask(
    (request, response) =>
      void (request.url === "/todos"
        ? response.writeHead(500).end("db is not defined")
        : response.end("ok")),
    { "s.js": "a.get('/', h); a.get('/todos', h); a.post('/never', h)" },
  );
  expect(await brokenRoute(port, "/", parts)).toEqual({
    path: "/todos",
    detail: "GET /todos answered 500\ndb is not defined",
  });
});
