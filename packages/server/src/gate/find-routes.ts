import { findMethods } from "./find-methods.ts";
import type { GateFile } from "./types.ts";

/** Routes that are asked. */
const MOST = 60;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|docs)\/|\.(?:test|spec|stories|config)\.\w+$/;
/** Where a text of a program is an address that it answers, or that its page asks. */
const SAID = [
  /\.(?:get|all|use|route|fetch)\(\s*["'`](\/[^"'`\s]{1,200})["'`]/g,
  /(?:\burl|\bpathname|\bpath)\)?\s*={2,3}\s*["'`](\/[^"'`\s]{1,200})["'`]/gi,
  /(?:startsWith|\bcase|\bfetch|\bgetJson)\(?\s*["'`](\/[^"'`\s]{1,200})["'`]/g,
  /["'`]GET (\/[^"'`\s]{1,200})["'`]/g,
];
/** Where frameworks have their routes by the names of files. */
const BY_FILE = [
  /^(?:.*\/)?app\/(?:(.+)\/)?(?:route|page)\.[jt]sx?$/,
  /^(?:.*\/)?pages\/(.+?)(?:\/index)?\.[jt]sx?$/,
  /^(?:.*\/)?src\/routes\/(?:(.+)\/)?\+(?:server|page)\.(?:[jt]s|svelte)$/,
  /^(?:.*\/)?server\/(api\/.+?)(?:\/index)?(?:\.get)?\.[jt]s$/,
];
/** What may be somebody's alone. Others are left in peace: some addresses do something when they are asked for. */
const OF_CONCERN =
  /(?:^|\/)(?:api|rest|admin|administrator|backoffice|internal|users?|accounts?|customers?|members?|orders?|invoices?|payments?|messages?|sessions?|export|backup|debug)(?:\/|$)/i;
const ACTS =
  /log-?out|sign-?out|delete|remove|destroy|unsubscribe|cancel|reset|clear|purge|seed|migrate|send|cron|webhook|checkout|shutdown|restart|crash/i;

/** The addresses of a program that are worth asking without a sign-in, by what its sources say. */
export function findRoutes(sources: readonly GateFile[]): string[] {
  const routes = new Set<string>();
  for (const { path, text } of sources) {
    if (!CODE.test(path) || NO_APP.test(path)) continue;
    for (const shape of BY_FILE) {
      const [, named] = shape.exec(path) ?? [];
      if (named !== undefined) add(`/${named}`);
    }
    for (const shape of SAID) for (const [, said = ""] of text.matchAll(shape)) add(said);
  }
  // What a router of another file answers is below the path that it was put at.
  for (const { method, path } of findMethods(sources))
    if (method === "GET" && !/^\/(?:api\/)?:id$/.test(path)) add(path);
  return [...routes].slice(0, MOST);

  function add(said: string): void {
    const route = said
      .replace(/\/\([^/]*\)/g, "")
      .replace(/\/(?::\w+\??|\[{1,2}(?:\.{3})?\w+\]{1,2})/g, "/1")
      .replace(/[?#].*$/, "")
      .replace(/(?<=.)\/+$/, "");
    if (/^\/[\w./~%-]*$/.test(route) && OF_CONCERN.test(route) && !ACTS.test(route))
      routes.add(route);
  }
}
