import { fileRoutes } from "./file-routes.ts";
import { fieldsNamed, namedFields } from "./named-fields.ts";
import { joined, mountsOf } from "./route-mounts.ts";
import { joinedBeginning } from "../files/spelled-out.ts";
import { switchedRoutes } from "./switched-routes.ts";
import type { GateFile } from "../types.ts";

/** A request that an app answers, as declared in its sources. */
export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Parameters are written as `:id`: `/api/notes/:id`. */
  path: string;
  /** Names of the body's fields, from forms and handlers. */
  fields: string[];
}

const MOST = 300;
/** Maximum number of places read per file. */
const MOST_OF_FILE = 1_000;
/** Characters after a route in which its handler's fields are searched. */
const NEAR = 1_200;
/** Signs that a handler reads a body. */
const TAKES = /\b(?:body|json|form|formData|data|input|payload|fields)\b/;
/** Maximum number of prefixes that a file gives its own routes. */
const MOST_PREFIXES = 5;
const MOST_FIELDS = 20;
const READ = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|ejs|hbs|pug|njk|py)$/;
const NO_APP =
  /(?:^|\/)(?:tests?|__tests__|e2e|fixtures|mocks?|docs)\/|(?:^|\/)test_[^/]*$|\.(?:test|spec|stories|config)\.\w+$/;
const METHOD = "GET|POST|PUT|PATCH|DELETE";
const PATH = "[\"'`](/[^\"'`\\s]{0,200})[\"'`]";

/** A call of a router: `app.post("/notes", …)`. */
const CALLED = new RegExp(`(?<=[\\w$)}\\]]\\s{0,200})\\.(get|post|put|patch|delete|all)(?:<[^()]{0,100}>)?\\(\\s*(?:["'][\\w.:-]{1,60}["']\\s*,\\s*)?\\[?\\s*${PATH}`, "gi"); // prettier-ignore
/**
 * `fetch("/notes", { method: "POST" })`, and Fastify's `{ method: "POST", url: "/notes" }` in the
 * other order.
 */
const FETCHED = new RegExp(`\\bfetch\\(\\s*${PATH}\\s*,\\s*\\{[^}]{0,200}?method:\\s*["'](${METHOD})["']`, "gi"); // prettier-ignore
const LISTED = new RegExp(`\\bmethod:\\s*\\[?["'](${METHOD})["'][^{}]{0,40}?\\b(?:url|path):\\s*${PATH}`, "gi"); // prettier-ignore
const LISTED_BACK = new RegExp(`\\b(?:url|path):\\s*${PATH}\\s*,\\s*method:\\s*\\[?["'](${METHOD})["']`, "gi"); // prettier-ignore
/** Hono's `app.on("GET", "/notes", …)`. */
const ON = new RegExp(`\\.on\\(\\s*["'](${METHOD})["']\\s*,\\s*${PATH}`, "g");
/** Nest's `@Get("export")`. */
const DECORATED = /@(Get|Post|Put|Patch|Delete)\(\s*(?:["'`]\/?([^"'`\s]{0,200})["'`]\s*)?\)/g;
/** Flask's `@app.route("/notes", methods=["GET", "POST"])`. */
const ROUTED = new RegExp(`(?<=@[\\w.]{1,60})\\.(?:api_)?route\\(\\s{0,10}${PATH}(?:[^()]{0,200}?\\bmethods\\s{0,4}=\\s{0,4}[[({]([^\\])}]{1,100}))?`, "g"); // prettier-ignore
/** FastAPI's `@router.post("")`, on a router with a prefix. */
const OF_PREFIX = /(?<=@[\w.]{1,60})\.(get|post|put|patch|delete)\(\s{0,10}["']{2}/g;
/** A method and a path in one text: `"POST /notes"`. */
const SAID = new RegExp(`["'\`](${METHOD}) (/[^"'\`\\s]{0,200})["'\`]`, "g");
/** `method === "POST" && url === "/notes"`, in either order. */
const COMPARED = [
  new RegExp(`method\\s*={2,3}\\s*["'](${METHOD})["'][^;{}]{0,120}?={2,3}\\s*${PATH}`, "g"),
  new RegExp(`={2,3}\\s*${PATH}[^;{}]{0,120}?method\\s*={2,3}\\s*["'](${METHOD})["']`, "g"),
];
/** A compared path whose methods follow; also Bun's `"/notes/:id": { DELETE: … }`. */
const BRANCHED = [
  new RegExp(`(?:\\burl|\\bpathname|\\bpath)\\s*={2,3}\\s*${PATH}`, "gi"),
  new RegExp(`${PATH}\\s*:\\s*\\{`, "g"),
];
/** `/^\/notes\/(\d+)$/`. */
const MATCHED = /\/\^((?:\\\/[\w.-]+|\\\/\((?:[^()\n]|\\\(|\\\)){1,40}\)){1,8})(?:\\?\/)?\??\$\//g;
const FORM = /<form\b([^>]{0,500})>/gi;
const FORM_END = /<\/form>/i;
/** `router.route("/notes").get(list).post(add)`. */
const CHAINED = new RegExp(`\\.\\s*route\\(\\s*${PATH}\\s*\\)`, "g");
const LINK = /^\s{0,200}\.(get|post|put|patch|delete)\(/;
const MOST_LINKS = 6;
/**
 * A prefix for all routes in a file: `new Elysia({ prefix: "/api" })`, `.basePath("/api")`, Nest's
 * `@Controller("api")`.
 */
const OF_FILE =
  /(?<!=\s{0,10})\bnew\s+\w{1,40}\(\s*\{[^{}]{0,200}?\bprefix:\s*["'`](\/[^"'`\s]{0,100})["'`]|\.(?:basePath|prefix|group)\(\s*["'`](\/[^"'`\s]{0,100})["'`](?=\s*\)\s*\.|\s*,)|@Controller\(\s*["'`]\/?([^"'`\s]{1,100})["'`]/g;

/**
 * The routes of an app with their methods: from its server, from requests of its pages, and from
 * their forms.
 */
export function findMethods(sources: readonly GateFile[]): Route[] {
  const files = sources
    .filter(({ path }) => READ.test(path) && !NO_APP.test(path))
    .map((file) => ({ path: file.path, text: joinedBeginning(file) }));
  const mounts = mountsOf(files);
  const named = namedFields(files);
  const routes = new Map<string, Route>();
  for (const { path: file, text } of files) {
    let left = MOST_OF_FILE;
    /** The text of a route's brackets if it contains the handler, or else the text after it. */
    const nearOf = (index: number) => {
      const near = text.slice(index, index + NEAR);
      const close = mounts.brackets(file).closing.get(index + near.search(/[({]/));
      const inside = close === undefined ? near : text.slice(index, close);
      return TAKES.test(inside) ? inside.slice(0, NEAR) : near;
    };
    const add = (method: string, address: string, index: number, fields?: string[]) => {
      const path = shaped(address);
      if (path === undefined || routes.size >= MOST || left-- <= 0) return;
      const key = `${method.toUpperCase()} ${path}`;
      const known = routes.get(key) ?? {
        method: method.toUpperCase() as Route["method"],
        path,
        fields: [],
      };
      const near = nearOf(index);
      const more = fields ?? [...fieldsNamed(near, named), ...fieldsIn(near)];
      known.fields = [...new Set([...known.fields, ...more])].slice(0, MOST_FIELDS);
      routes.set(key, known);
    };
    const ofFile = [...text.matchAll(OF_FILE)]
      .map(([, router, called, controller]) => router ?? called ?? `/${controller}`)
      .slice(0, MOST_PREFIXES);
    // It is unknown to which routes a file's prefix applies, so each is added with and without it.
    const addBelow = (method: string, address: string, index: number, router: string) => {
      if (left <= 0) return;
      for (const outer of mounts.mountPaths(file, index, router))
        for (const inner of new Set(["", ...ofFile]))
          add(method, joined(inner === "" ? outer : joined(outer, inner), address), index);
    };
    for (const { 1: method = "", 2: address = "", index } of text.matchAll(CALLED)) {
      if (left <= 0) break;
      addBelow(
        /^all$/i.test(method) ? "GET" : method,
        address,
        index,
        mounts.routerAt(file, index),
      );
    }
    for (const { 1: method = "", index } of text.matchAll(OF_PREFIX))
      addBelow(method, "/", index, mounts.routerAt(file, index));
    for (const { 1: address = "", 2: methods = '"GET"', index } of text.matchAll(ROUTED))
      for (const method of methodsIn(methods))
        addBelow(method, address, index, mounts.routerAt(file, index));
    for (const { 0: all, 1: address = "", index } of text.matchAll(CHAINED)) {
      if (left <= 0) break;
      const router = mounts.routerAt(file, index);
      let end = index + all.length;
      for (let links = 0; links < MOST_LINKS; links++) {
        const [link = "", method = ""] = LINK.exec(text.slice(end, end + 300)) ?? [];
        const close = mounts.brackets(file).closing.get(end + link.length - 1);
        if (method === "" || close === undefined) break;
        addBelow(method, address, end, router);
        end = close + 1;
      }
    }
    for (const { 1: address = "", 2: method = "", index } of text.matchAll(FETCHED))
      add(method, address, index);
    for (const shape of [LISTED, ON])
      for (const { 1: method = "", 2: address = "", index } of text.matchAll(shape))
        addBelow(method, address, index, shape === ON ? mounts.routerAt(file, index) : "");
    for (const shape of [SAID, COMPARED[0]!])
      for (const { 1: method = "", 2: address = "", index } of text.matchAll(shape))
        add(method, address, index);
    for (const { 1: address = "", 2: method = "", index } of text.matchAll(LISTED_BACK))
      addBelow(method, address, index, "");
    for (const { 1: address = "", 2: method = "", index } of text.matchAll(COMPARED[1]!))
      add(method, address, index);
    for (const { 1: method = "", 2: address = "", index } of text.matchAll(DECORATED))
      addBelow(method, `/${address}`, index, "");
    const branch = (address: string, index: number) => {
      if (left-- <= 0) return;
      const near = text.slice(index, index + NEAR);
      for (const method of methodsIn(near)) add(method, address, index);
    };
    for (const shape of BRANCHED)
      for (const { 0: all, 1: address = "", index } of text.matchAll(shape)) {
        const around = text.slice(Math.max(0, index - 60), index + all.length + 60);
        // A path with a compared method beside it was already read together with the method.
        if (!/method\s*={2,3}/.test(around)) branch(address, index);
      }
    for (const { 1: address = "", index } of text.matchAll(MATCHED))
      branch(address.replaceAll("\\/", "/").replace(/\([^/]{1,40}\)/g, ":id"), index);
    for (const { path, from, to } of switchedRoutes(text, mounts.brackets(file))) {
      const near = text.slice(from, to);
      const named = methodsIn(near);
      // If the code compares a method, the rest of it answers another one, which is not named.
      const methods = named.length > 0 ? [...named, "GET", "POST"] : ["GET"];
      for (const method of new Set(methods)) add(method, path, from, fieldsIn(near));
    }
    for (const { 0: all, 1: attributes = "", index } of text.matchAll(FORM)) {
      const action = attributeOf(attributes, "action");
      if (action === undefined) continue;
      const inside = text.slice(index + all.length, index + all.length + 5_000);
      const end = FORM_END.exec(inside)?.index ?? inside.length;
      const names = [...inside.slice(0, end).matchAll(/\bname=["'](\w{1,60})["']/g)].map(
        ([, name = ""]) => name,
      );
      add(attributeOf(attributes, "method") ?? "GET", action, index, names);
    }
    for (const { method, path, index } of fileRoutes(file, text)) add(method, path, index);
  }
  return [...routes.values()];
}

/** The path without query, with `:id` for every parameter; undefined if it is not a path. */
function shaped(address: string): string | undefined {
  const path = address
    .replace(/\$\{[^}]{0,100}\}/g, ":id")
    .replace(/\/\([^/]*\)(?=\/|$)/g, "")
    .replace(
      /\/(?::\w+(?:\{[^}]{0,40}\}|\([^)]{0,40}\))?\??|\[{1,2}(?:\.{3})?\w+\]{1,2}|<[^<>/]{1,40}>|\{\w{1,40}(?::\w{1,20})?\})/g,
      "/:id",
    )
    .replace(/[?#].*$/, "")
    .replace(/(?<=.)\/+$/, "");
  return /^\/[\w./~%:-]*$/.test(path) ? path : undefined;
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\b${name}=["']([^"']{1,200})["']`, "i").exec(attributes)?.[1];
}

function methodsIn(near: string): string[] {
  const named = [...near.matchAll(new RegExp(`\\b(${METHOD})\\b`, "g"))].map(
    ([, method = ""]) => method,
  );
  return [...new Set(named)];
}

const TAKEN = [
  /\{([^{}]{1,300})\}\s*=\s*(?:await\s+)?[\w.]{0,40}(?:body|json|data|form|fields|input|payload|parse)/gi,
  /\b(?:body|form|data):\s*\{([^{}]{1,300})\}/g,
  /JSON\.stringify\(\s*\{([^{}]{1,300})\}/g,
  /\bz\.(?:strictO|o)bject\(\s*\{([^{}]{1,600})\}/g,
];
const TAKEN_ONE =
  /\b(?:body|data|payload|input|fields)\??\.(\w{1,40})\b(?!\()|(?:form|formData|data|body|parseBody\(\)\))\)?(?:\.get\(|\[)["'](\w{1,40})["']/g;

function fieldsIn(near: string): string[] {
  const names = TAKEN.flatMap((shape) =>
    [...near.matchAll(shape)].flatMap(([, inside = ""]) =>
      inside.split(",").map((part) => /^\s*["']?(\w{1,40})/.exec(part)?.[1] ?? ""),
    ),
  );
  const single = [...near.matchAll(TAKEN_ONE)].map(([, one, other]) => one ?? other ?? "");
  return [...new Set([...names, ...single])].filter((name) => /^[a-z]\w*$/i.test(name));
}
