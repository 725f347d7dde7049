import { readProjectPath } from "@treadle/protocol/project-path";
import type { PageProblem, PageReport } from "@treadle/protocol";
import { openMap } from "./open-map.ts";
import { placeInFile, type ReadSource } from "./place-in-file.ts";

/** The text at a path of the app (with its query) as its own server sends it; undefined where there is none. */
export type LoadText = (path: string) => Promise<string | undefined>;

/** Places of one stack that are tried: the first that lies in a file of the project's own is where it was thrown. */
const FRAMES = 12;
/** Files of one report that are asked for: each may have a map of megabytes. */
const FILES = 3;
/** So few frames of packages are shown, and so many of a stack that has none of the project's own. */
const PACKAGE_FRAMES = 3;
/** Where the project lies in its sandbox. */
const ROOT = "/home/project/";
/** What dev servers and the gateway put beside the project's files. */
const FOREIGN = /node_modules\/|^\/(?:@|__treadle\/)/;
const FRAME = /(?:^|[\s(@])((\/[^\s()]*?):(\d+):(\d+))(?=[)\s]|$)/g;
const MAP = /\/[/*][#@] sourceMappingURL=([^\s'"*]+)/g;

/**
 * Names the places where errors were thrown by the project's own files: browsers name lines of what a dev server made of
 * them. What leads to no file of the project stays as it is. Never rejects.
 * @param origin of the page: what is of another is none of the project's
 * @param source reads the project's own files
 */
export async function placeProblems<
  Report extends Pick<PageReport, "uncaughtErrors"> &
    Partial<Pick<PageReport, "consoleErrors">> & { overlay?: string },
>(report: Report, origin: string, load: LoadText, source: ReadSource): Promise<Report> {
  const texts = new Map<string, Promise<Sent | undefined>>();
  const read = (path: string): Promise<Sent | undefined> => {
    const known = texts.get(path);
    if (known) return known;
    if (texts.size >= FILES) return Promise.resolve(undefined);
    const sent = readSent(path, load, source).catch(() => undefined);
    texts.set(path, sent);
    return sent;
  };
  const uncaughtErrors: PageProblem[] = [];
  for (const problem of report.uncaughtErrors) {
    uncaughtErrors.push(await placeProblem(problem, origin, read));
  }
  const consoleErrors: PageProblem[] = [];
  for (const problem of report.consoleErrors ?? [])
    consoleErrors.push(await placePrinted(problem, origin, read));
  const overlay = report.overlay?.replaceAll(ROOT, "");
  return {
    ...report,
    uncaughtErrors,
    ...(report.consoleErrors && { consoleErrors }),
    ...(overlay === undefined ? {} : { overlay }),
  };
}

/** What was printed: frameworks print an error with its stack as one text. */
async function placePrinted(
  problem: PageProblem,
  origin: string,
  read: (path: string) => Promise<Sent | undefined>,
): Promise<PageProblem> {
  const { message } = problem;
  if (!message.includes("\n")) return problem;
  const { source, stack = message } = await placeProblem(
    { message: "", stack: message },
    origin,
    read,
  );
  return { ...problem, message: stack, ...(source !== undefined && { source }) };
}

async function placeProblem(
  problem: PageProblem,
  origin: string,
  read: (path: string) => Promise<Sent | undefined>,
): Promise<PageProblem> {
  const own = (text = "") => text.replaceAll(`${origin}/`, "/");
  const stack = own(problem.stack);
  let first: string | undefined;
  let placed = stack;
  for (const { path, line, column, written } of framesOf(`${own(problem.source)}\n${stack}`)) {
    const place = await (await read(path))?.find(line, column);
    if (place === undefined) continue;
    first ??= place;
    // By a function: a name may hold what a text in its place would mean.
    placed = placed.replaceAll(written, () => place);
  }
  const short = problem.stack === undefined ? {} : { stack: withoutPackages(placed) };
  if (first === undefined) return { ...problem, ...short };
  return { ...problem, source: first, ...short };
}

/** A stack without the frames of packages, which say nothing to who wrote the app; where it has no others, with the first. */
function withoutPackages(stack: string): string {
  const lines = stack.split("\n");
  const ofPackages = lines.filter((line) => isFrame(line) && isOfPackage(line));
  const hasOwn = lines.some((line) => isFrame(line) && !isOfPackage(line));
  const shown = hasOwn ? 0 : PACKAGE_FRAMES;
  if (ofPackages.length <= PACKAGE_FRAMES) return stack;
  const left = new Set(ofPackages.slice(shown));
  const remaining = lines.filter((line) => !left.has(line));
  return [...remaining, `    (${ofPackages.length - shown} frames of packages are left out)`].join(
    "\n",
  );
}

/** Chromium's and Firefox's way of writing a frame. */
const isFrame = (line: string) =>
  /^\s*at\s|^[^\s@]*@/.test(line) && /:\d+:\d+\)?$/.test(line.trim());
const isOfPackage = (line: string) => /node_modules\/|[(\s@]\/(?:@|__treadle\/)/.test(line);

function framesOf(text: string) {
  return [...text.matchAll(FRAME)]
    .map(([, written = "", path = "", line, column]) => {
      return { written, path, line: Number(line), column: Number(column) };
    })
    .filter(({ path }) => !FOREIGN.test(path))
    .slice(0, FRAMES);
}

/** What a dev server sent of one address, and where its lines come from. */
interface Sent {
  find(line: number, column: number): Promise<string | undefined>;
}

async function readSent(
  path: string,
  load: LoadText,
  source: ReadSource,
): Promise<Sent | undefined> {
  const text = await load(path);
  if (text === undefined) return undefined;
  const { pathname } = new URL(path, "http://app");
  const reference = mapReference(text);
  if (reference === undefined)
    return { find: placeInFile(text, decodeURI(pathname.slice(1)), source) };
  const map = openMap(await readMap(reference, path, load));
  return {
    async find(line, column) {
      const place = await map.find(line - 1, column - 1);
      const file = place && fileOf(place.source, pathname);
      return file && `${file}:${place.line + 1}:${place.column + 1}`;
    },
  };
}

/** Where the map of a sent text is: an address, or the map itself in one; undefined where it names none. */
export const mapReference = (text: string): string | undefined =>
  [...text.matchAll(MAP)].at(-1)?.[1];

/**
 * Reads the map that a sent text names.
 * @param path of the text, with its query
 */
export async function readMap(reference: string, path: string, load: LoadText): Promise<string> {
  const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(reference);
  if (inline) {
    const [, encoded, data = ""] = inline;
    return encoded ? Buffer.from(data, "base64").toString("utf8") : decodeURIComponent(data);
  }
  const { pathname, search } = new URL(reference, new URL(path, "http://app"));
  return (await load(pathname + search)) ?? "";
}

/** Whether an address of the app is one that a dev server or the gateway puts beside the project's files. */
export const isForeign = (pathname: string): boolean => FOREIGN.test(pathname);

/** A source as maps name it, as a path of the project; undefined where it is none. */
export function fileOf(source: string, pathname: string): string | undefined {
  try {
    const read = readProjectPath(namedBy(source, pathname));
    return read.ok && read.path !== "" && !FOREIGN.test(`/${read.path}`) ? read.path : undefined;
  } catch {
    // No name, and no address.
    return undefined;
  }
}

/** @throws URIError, TypeError where it is neither */
function namedBy(source: string, pathname: string): string {
  const plain = decodeURI(source.split("?", 1)[0]!);
  const bundled = /^(?:webpack(?:-internal)?|turbopack):\/\/[^/]*\/(?:\([^)]*\)\/)?(.*)$/.exec(
    plain,
  );
  const path = bundled
    ? bundled[1]!.replace(/^\[project\]\//, "").replace(/^(?:\.\/)+/, "")
    : new URL(
        plain.replace(/^file:\/\//, "").replace(ROOT, "/"),
        `http://app${pathname}`,
      ).pathname.slice(1);
  return decodeURI(path);
}
