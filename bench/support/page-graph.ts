import { Agent, request } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** Opens a connection to the requested server. */
export type Dial = () => Promise<Duplex>;

/** Connections of a browser to one server. */
const CONNECTIONS = 6;

/** The parts that a page or a module refers to; a dev server writes them as absolute paths. */
const PARTS = /(?:\bsrc=|\bfrom\s*|\bimport\s*\(?\s*)["'](\/[^"'\s]+)["']/g;

/**
 * Requests a page and every module that it needs, like a browser; waits for a server that does not
 * answer yet.
 * @returns the number of modules
 * @throws Error if one of them is missing
 */
export async function loadPageGraph(dial: Dial): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  agent.createConnection = (_options, done) => {
    dial().then(
      (connection) => done?.(null, connection),
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  };
  const get = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { host: "localhost", accept: path === "/" ? "text/html" : "*/*" };
      request({ path, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => (text += piece));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", reject);
      })
        .on("error", reject)
        .end();
    });

  const seen = new Set<string>();
  const load = async (text: string): Promise<void> => {
    const named = new Set([...text.matchAll(PARTS)].map(([, path]) => path!));
    await Promise.all(
      [...named].map(async (path) => {
        if (seen.has(path)) return;
        seen.add(path);
        const { status, text: module } = await get(path);
        if (status !== 200) throw new Error(`${path} was answered with ${status}`);
        await load(module);
      }),
    );
  };
  try {
    let page = await get("/").catch(() => undefined);
    while (page?.status !== 200) {
      await sleep(5);
      page = await get("/").catch(() => undefined);
    }
    await load(page.text);
    return seen.size;
  } finally {
    agent.destroy();
  }
}
