import { bracketsOf, partsOf, rootOf, type Brackets } from "./brackets.ts";
import { importsOf } from "../files/imports.ts";
import type { GateFile } from "../types.ts";

/** Maximum number of prefixes of one route, and of mounts in a file. */
const MOST_PREFIXES = 12;
const MOST_MOUNTS = 500;
/** Maximum length of a mounted expression, in characters. */
const MOST_READ = 500;

const PUT =
  /\.\s{0,10}(?:use|route|register(?:_blueprint)?|include_router|mount|group|lazy)(?:<[^()]{0,100}>)?\(/g;
const TEXT = /^\s{0,100}["'`](\/[^"'`\s]{0,100})["'`]\s{0,100}$/;
const PREFIX = /^\s{0,100}\{[^]*?\b(?:prefix|path):\s{0,10}["'`](\/?[^"'`\s]{1,100})["'`]/;
/** Python's `include_router(notes.router, prefix="/notes")`, and `register_blueprint(notes, url_prefix="/notes")`. */
const NAMED_PREFIX = /^\s{0,100}(?:url_)?prefix\s{0,4}=\s{0,4}["'](\/[^"'\s]{0,100})["']/;
const FILE = /\b(?:require|import)\(\s{0,100}["'](\.{1,2}\/[^"']{1,200})["']/;
const NAME = /^\s{0,100}(?:await\s{1,10})?([A-Za-z_$][\w$]{0,60})/;
const INSIDE = /^\s{0,100}(?:async\b\s{0,10})?(?:function\b|[\w$]{1,60}\s{0,10}=>|\()/;
/** `const api = new Router({ prefix: "/api" })`. */
const OF_ITSELF = /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,10}(?::[^=;,(){}]{0,80})?=\s{0,10}new\s+[\w$.]{1,60}(?:<[^()]{0,100}>)?\(\s{0,10}\{[^{}]{0,200}?\bprefix:\s{0,10}["'`](\/[^"'`\s]{0,100})["'`]/g; // prettier-ignore
/** Python's `router = APIRouter(prefix="/notes")`, and `notes = Blueprint("notes", __name__, url_prefix="/notes")`. */
const OF_ROUTER = /^[ \t]{0,20}([A-Za-z_]\w{0,60})\s{0,4}=\s{0,4}(?:\w{1,30}\.)?(?:APIRouter|Blueprint)\([^()]{0,300}?\b(?:url_)?prefix\s{0,4}=\s{0,4}["'](\/[^"'\s]{0,100})["']/gm; // prettier-ignore
/** `const api = app.basePath("/api")`. */
const BASED = /(?<![\w$.])([A-Za-z_$][\w$]{0,60})\s{0,10}=\s{0,10}(?:new\s+)?([A-Za-z_$][\w$]{0,60})(?:\([^()]{0,200}\))?\.(?:basePath|prefix|group)\(\s{0,10}["'`](\/[^"'`\s]{0,100})["'`]\s{0,10}\)/g; // prettier-ignore
const FUNCTION =
  /\bfunction\s+([\w$]{1,60})\s{0,10}\(|(?<![\w$.])([\w$]{1,60})\s{0,10}(?::[^=;(){}]{0,100})?=\s{0,10}(?:async\s{1,10})?(?:function\b[^(]{0,60})?(?=\(|[\w$]{1,60}\s{0,10}=>)/g;
const ARROW =
  /^\s{0,20}(?::[^={}]{0,100})?=>\s{0,20}|^[\w$]{1,60}\s{0,10}=>\s{0,20}|^\s{0,20}(?::[^{}]{0,100})?(?=\{)/;
/** The plugin that mounts `routes/shop/index.js` at `/shop`. */
const AUTOLOADED = /@fastify\/autoload/;
const BY_FOLDER = /(?:^|\/)routes\/(.+)\/[^/]+$/;

/** A router, a function or a file mounted at a path. */
interface Mount {
  prefix: string;
  /** Where the mount is written: file, position, and the router (`via`), whose own prefixes come first. */
  file: string;
  index: number;
  via: string;
  onto: { file: string; name?: string; from?: number; to?: number };
}

/**
 * Finds how routers are mounted. `mountPaths` returns the prefixes under which a router's routes are
 * answered: at least one, which may be empty.
 */
export interface Mounts {
  mountPaths(file: string, index: number, router: string): string[];
  routerAt(file: string, dot: number): string;
  brackets(file: string): Brackets;
}

/** Finds the mounts in files. @param files with their comments, which are skipped when brackets are paired */
export function mountsOf(files: readonly GateFile[]): Mounts {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const brackets = new Map(files.map(({ path, text }) => [path, bracketsOf(text)]));
  const imported = importsOf(files);
  /** Mounts by the file that is mounted, in whole or in part. */
  const mounts = new Map<string, Mount[]>();
  const bodies = new Map<string, { name: string; from: number; to: number }[]>();
  const isAutoloaded = files.some(({ text }) => AUTOLOADED.test(text));

  for (const source of files) {
    const { path, text } = source;
    const pairs = brackets.get(path)!;
    const imports = new Map(imported.importsIn(source).map(({ name, file }) => [name, file]));
    bodies.set(path, bodiesIn(text, pairs));
    const add = (mount: Omit<Mount, "file">) => {
      const known = mounts.get(mount.onto.file) ?? [];
      mounts.set(mount.onto.file, known);
      if (known.length < MOST_MOUNTS) known.push({ ...mount, file: path });
    };
    let left = MOST_MOUNTS;
    for (const { 0: all, index } of text.matchAll(PUT)) {
      if (left-- <= 0) break;
      const open = index + all.length - 1;
      const parts = partsOf(text, pairs, open).slice(0, 8);
      const sources = parts.map(({ from, to }) => text.slice(from, Math.min(to, from + MOST_READ)));
      const first = TEXT.exec(sources[0] ?? "")?.[1];
      const prefix =
        first ??
        PREFIX.exec(sources.at(-1) ?? "")?.[1] ??
        sources.flatMap((one) => NAMED_PREFIX.exec(one)?.[1] ?? [])[0] ??
        "";
      const via = rootOf(text, pairs, index);
      for (const [at, { from, to }] of parts.entries()) {
        const one = sources[at]!;
        const fileName = FILE.exec(one)?.[1];
        const name = NAME.exec(one)?.[1];
        const file =
          fileName === undefined ? imports.get(name ?? "") : imported.find(fileName, path);
        if (at === 0 && first !== undefined) continue;
        const onto =
          file !== undefined
            ? { file }
            : INSIDE.test(one)
              ? { file: path, from, to }
              : { file: path, name: name ?? "" };
        if (onto.name !== "" && onto.name !== via)
          add({ prefix: slashed(prefix), index, via, onto });
      }
    }
    for (const shape of [OF_ITSELF, OF_ROUTER])
      for (const { 1: name = "", 2: prefix = "", index } of text.matchAll(shape))
        ofItself(name, prefix, index, "");
    for (const { 1: name = "", 2: via = "", 3: prefix = "", index } of text.matchAll(BASED))
      ofItself(name, prefix, index, via === name ? "" : via);
    const folder = isAutoloaded ? BY_FOLDER.exec(path)?.[1] : undefined;
    if (folder !== undefined)
      add({ prefix: `/${folder.replace(/(^|\/)_/g, "$1:")}`, index: -1, via: "", onto: { file: path } }); // prettier-ignore

    /** A router's own prefix applies wherever it is mounted. */
    function ofItself(name: string, prefix: string, index: number, via: string) {
      if (left-- <= 0) return;
      const above = (mounts.get(path) ?? []).filter(({ onto }) => onto.name === name);
      for (const one of above) one.prefix = joined(one.prefix, prefix);
      if (above.length === 0) add({ prefix, index, via, onto: { file: path, name } });
    }
  }

  /** The complete prefixes of each mount that was looked up. */
  const known = new Map<Mount, string[]>();

  function mountPaths(file: string, index: number, router: string): string[] {
    const above = aboveOf(file, index, router).slice(0, MOST_PREFIXES);
    return above.length === 0 ? [""] : [...new Set(above.flatMap(belowOf))].slice(0, MOST_PREFIXES);
  }

  function belowOf(mount: Mount): string[] {
    const found = known.get(mount);
    if (found) return found;
    if (mount.index < 0) return [mount.prefix];
    // A router mounted in itself has no other prefix.
    known.set(mount, [mount.prefix]);
    const below = mountPaths(mount.file, mount.index, mount.via).map((one) =>
      joined(one, mount.prefix),
    );
    known.set(mount, below);
    return below;
  }

  /**
   * The mounts of the router itself, or else of the innermost enclosing function, or else of its
   * file.
   */
  function aboveOf(file: string, index: number, router: string): Mount[] {
    const onto = mounts.get(file) ?? [];
    const named = onto.filter((one) => one.onto.name === router && router !== "");
    if (named.length > 0) return named;
    const around = (bodies.get(file) ?? []).filter(({ from, to }) => from <= index && index < to);
    const inside = onto
      .flatMap((one) => {
        const { name, from, to } = one.onto;
        if (from !== undefined)
          return from <= index && index < to! && one.index !== index ? [{ one, from }] : [];
        return around
          .filter((body) => body.name === name)
          .map((body) => ({ one, from: body.from }));
      })
      .toSorted((a, b) => b.from - a.from);
    if (inside.length > 0)
      return inside.filter(({ from }) => from === inside[0]!.from).map(({ one }) => one);
    return onto.filter(({ onto: { name, from } }) => name === undefined && from === undefined);
  }

  return {
    mountPaths,
    routerAt: (file, dot) => rootOf(texts.get(file)!, brackets.get(file)!, dot),
    brackets: (file) => brackets.get(file)!,
  };
}

/** Named functions, from their parameters to their end. */
function bodiesIn(text: string, { closing }: Brackets) {
  const found: { name: string; from: number; to: number }[] = [];
  for (const { 0: all, 1: declared, 2: body, index } of text.matchAll(FUNCTION)) {
    const from = index + all.length - (declared === undefined ? 0 : 1);
    const close = closing.get(from);
    const after = close === undefined ? from : close + 1;
    const start = after + (ARROW.exec(text.slice(after, after + 200))?.[0].length ?? 0);
    const end = closing.get(start);
    const line = text.slice(start, start + 2_000).search(/[;\n]/);
    found.push({
      name: declared ?? body ?? "",
      from,
      to: end !== undefined && text[start] === "{" ? end : line < 0 ? start + 2_000 : start + line,
    });
  }
  return found;
}

const slashed = (prefix: string) =>
  prefix === "" || prefix.startsWith("/") ? prefix : `/${prefix}`;

export const joined = (prefix: string, path: string) =>
  prefix === "" ? path : `${prefix.replace(/\/$/, "")}${path === "/" ? "" : path}` || "/";
