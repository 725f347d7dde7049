import { flatPath } from "./file-routes.ts";
import { findMethods } from "./find-methods.ts";
import { joinedText } from "../files/spelled-out.ts";
import type { GateFile } from "../types.ts";

/** Maximum number of routes requested. */
const MOST = 60;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|ejs|hbs|pug|njk|py|rb|go|php)$/;
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|docs)\/|\.(?:test|spec|stories|config)\.\w+$/;
/**
 * Matches any string that looks like an address, since frameworks and route tables write routes in
 * too many ways. A wrong match is answered as a missing page.
 */
const SAID = /(?<!\.(?:post|put|patch|delete)\(\s{0,4})["'`](?:GET )?(\/[^"'`\s]{1,200})["'`]/g;
/** React Router's `route("admin", "./admin.tsx")`. */
const LISTED = /\broute\(\s*["'`]([^"'`\s/.][^"'`\s]{0,200})["'`]\s*,\s*["'`]/g;
/** Route files of frameworks. */
const BY_FILE = [
  /^(?:.*\/)?app\/(?:(.+)\/)?(?:route|page)\.[jt]sx?$/,
  /^(?:.*\/)?pages\/(.+?)(?:\/index)?\.(?:[jt]sx?|vue|astro|svelte)$/,
  /^(?:.*\/)?src\/routes\/(?:(.+)\/)?\+(?:server|page)\.(?:[jt]s|svelte)$/,
  /^(?:.*\/)?server\/(?:routes\/)?((?<!routes\/)api\/.+?|(?<=routes\/).+?)(?:\/index)?(?:\.get)?\.[jt]s$/,
  /^(?:.*\/)?src\/routes\/([^+]+?)(?:\/index)?\.[jt]sx?$/,
];
/**
 * Words of routes that may be private. Others are not requested, as some addresses have side
 * effects.
 */
const OF_CONCERN =
  /(?:^|\/)(?:api|rest|graphql|[\w-]*(?<![a-z])admin(?:istrat\w+|[-_]?\w+)?|back-?office|internal|moderation|users?|accounts?|customers?|clients?|patients?|members?|employees|staff|students|contacts|people|leads|guests|subscribers|applicants|candidates|attendees|profiles?|orders?|bookings?|reservations?|appointments|registrations|sign-?ups|waitlist|invoices?|payments?|messages?|sessions?|export|backup|dump|debug)(?:\.\w+)?(?:\/|$)/i;
const ACTS =
  /log-?out|sign-?out|delete|remove|destroy|unsubscribe|cancel|reset|clear|purge|seed|migrate|send|cron|webhook|checkout|shutdown|restart|crash/i;

/** The addresses in an app's sources that are worth requesting without a sign-in. */
export function findRoutes(sources: readonly GateFile[]): string[] {
  const routes = new Set<string>();
  // Routes of a router in another file are below its mount path.
  for (const { method, path } of findMethods(sources))
    if (method === "GET" && !/^\/(?:api\/)?:id$/.test(path)) add(path);
  for (const file of sources) {
    const { path, text } = file;
    if (!CODE.test(path) || NO_APP.test(path)) continue;
    for (const shape of BY_FILE) {
      const [, named] = shape.exec(path) ?? [];
      if (named !== undefined) add(`/${named}`);
    }
    const flat = flatPath(path);
    if (flat !== undefined) add(flat);
    for (const [, address = ""] of text.matchAll(LISTED)) add(`/${address}`);
    for (const [, address = ""] of joinedText(file).matchAll(SAID)) add(address);
  }
  return [...routes].slice(0, MOST);

  function add(address: string): void {
    const route = worthAsking(address);
    if (route !== undefined) routes.add(route);
  }
}

/** The address to request for a route, or undefined unless it sounds private and free of side effects. */
export function worthAsking(address: string): string | undefined {
  const route = address
    .replace(/\/\([^/]*\)/g, "")
    .replace(
      /\/(?::\w+\??|<[^<>/]{1,40}>|\{\w{1,40}(?::\w{1,20})?\}|\[{1,2}(?:\.{3})?\w+\]{1,2})/g,
      "/1",
    ) // prettier-ignore
    .replace(/[?#].*$/, "")
    .replace(/(?<=.)\/+$/, "");
  const isAddress = /^\/[\w./~%-]*$/.test(route);
  return isAddress && OF_CONCERN.test(route) && !ACTS.test(route) ? route : undefined;
}
