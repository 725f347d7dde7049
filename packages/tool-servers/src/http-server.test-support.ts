import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpToolServer {
  url: string;
  /** Received requests: method, path, authorization. */
  seen: { path: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

/**
 * A minimal tool server over HTTP, by default with sign-in: it is its own authorization server,
 * whose page returns a code at once.
 */
export async function startHttpToolServer(
  options: {
    open?: boolean;
    sse?: boolean;
    /** A response to every request in place of the normal one. */
    instead?: { status: number; headers?: Record<string, string>; body?: string };
    /** Serves only its own path, and 404 elsewhere. */
    onlyThere?: boolean;
    /** Invalid values in its OAuth metadata. */
    metadata?: Record<string, unknown>;
    /** The authorization server; by default itself. */
    authority?: string;
  } = {},
): Promise<HttpToolServer> {
  const seen: HttpToolServer["seen"] = [];
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const tokens = new Set<string>();
  let streamTo: ServerResponse | undefined;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    seen.push({ path: url.pathname, authorization: request.headers.authorization });
    let body = "";
    for await (const piece of request) body += String(piece);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    if (options.instead) {
      const nothing = options.onlyThere && url.pathname !== "/mcp";
      const {
        status,
        headers,
        body: sent,
      } = nothing
        ? { status: 404, headers: { "content-type": "text/plain" }, body: "Not Found" }
        : options.instead;
      return void response.writeHead(status, headers).end(sent);
    }
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource"))
      return json({
        resource: `${origin}/mcp`,
        authorization_servers: [options.authority ?? origin],
      });
    if (url.pathname.startsWith("/.well-known/"))
      return json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        ...options.metadata,
      });
    if (url.pathname === "/register")
      return json({ ...(JSON.parse(body) as object), client_id: "treadle-client" }, 201);
    if (url.pathname === "/authorize") {
      const code = randomBytes(8).toString("hex");
      const redirect = new URL(url.searchParams.get("redirect_uri") ?? "");
      codes.set(code, {
        challenge: url.searchParams.get("code_challenge") ?? "",
        redirect: redirect.href,
      });
      redirect.searchParams.set("code", code);
      redirect.searchParams.set("state", url.searchParams.get("state") ?? "");
      response.writeHead(302, { location: redirect.href });
      return void response.end();
    }
    if (url.pathname === "/token") {
      const form = new URLSearchParams(body);
      const given = codes.get(form.get("code") ?? "");
      const proof = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (given?.challenge !== proof || given.redirect !== form.get("redirect_uri"))
        return json({ error: "invalid_grant" }, 400);
      const token = `token-${randomBytes(8).toString("hex")}`;
      tokens.add(`Bearer ${token}`);
      return json({ access_token: token, token_type: "Bearer", expires_in: 3600 });
    }
    if (!options.open && !tokens.has(request.headers.authorization ?? "")) {
      response.writeHead(401, {
        "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
      });
      return void response.end();
    }
    if (request.method === "GET" && options.sse) {
      streamTo = response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.write(`event: endpoint\ndata: ${origin}/messages\n\n`);
    }
    if (request.method !== "POST") return json({}, 405);
    const { id, method, params } = JSON.parse(body) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string; arguments?: { text?: string } };
    };
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name: "over-http", version: "2" },
      },
      "tools/list": {
        tools: [{ name: "say", description: "Says it.", inputSchema: { type: "object" } }],
      },
      "prompts/list": {
        prompts: [{ name: "say", arguments: [{ name: "text", required: true }] }],
      },
      "prompts/get": {
        messages: [
          { role: "user", content: { type: "text", text: `Say ${params?.arguments?.text}.` } },
        ],
      },
      "resources/list": { resources: [{ uri: "note://1", name: "A note" }] },
      "resources/read": { contents: [{ uri: "note://1", blob: "aGVsbG8=", mimeType: "a/b" }] },
      "tools/call": { content: [{ type: "text", text: `Said ${params?.arguments?.text}` }] },
    };
    const result = results[method];
    const message = {
      jsonrpc: "2.0",
      id,
      ...(result ? { result } : { error: { code: -32601, message: "no such method" } }),
    };
    if (options.sse && id !== undefined)
      streamTo?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (id === undefined || options.sse) return void response.writeHead(202).end();
    json(message);
  }

  return {
    url: `${origin}/mcp`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
