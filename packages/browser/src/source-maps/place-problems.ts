import { readProjectPath } from "@treadle/protocol/project-path";
import type { PageProblem, PageReport } from "@treadle/protocol";
import { openMap } from "./open-map.ts";
import { placeInFile, type ReadSource } from "./place-in-file.ts";

/**
 * Loads the text at a path of the app (with its query) as its own server sends it; undefined if
 * there is none.
 */
export type LoadText = (path: string) => Promise<string | undefined>;

/**
 * Maximum number of frames tried per stack; the first in a file of the project is the origin of the
 * error.
 */
const FRAMES = 12;
/** Maximum number of files requested per report, as each may have a map of megabytes. */
const FILES = 3;
/** Maximum number of package frames shown, for a stack without frames of the project. */
const PACKAGE_FRAMES = 3;
/** The project's folder in its sandbox. */
const ROOT = "/home/project/";
/** Paths that dev servers and the gateway add to the project's files. */
const FOREIGN = /node_modules\/|^\/(?:@|__treadle\/)/;
const FRAME = /(?:^|[\s(@])((\/[^\s()]*?):(\d+):(\d+))(?=[)\s]|$)/g;
const MAP = /\/[/*][#@] sourceMappingURL=([^\s'"*]+)/g;

/**
 * Converts the positions of errors to the project's own files, since browsers report lines of a dev server's output.
 * Unresolvable positions stay unchanged. Never rejects.
 * @param origin the page's origin; addresses of other origins do not belong to the project
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

/** Resolves printed errors: frameworks print an error with its stack as one text. */
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
    // A replacement function, since a name may contain replacement patterns.
    placed = placed.replaceAll(written, () => place);
  }
  const short = problem.stack === undefined ? {} : { stack: withoutPackages(placed) };
  if (first === undefined) return { ...problem, ...short };
  return { ...problem, source: first, ...short };
}

/** Removes the frames of packages from a stack; if there are no others, keeps the first ones. */
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

/** A stack frame in the format of Chromium or Firefox. */
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

/** A served text of one address, and the origin of its lines. */
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

/**
 * The reference to the map of a served text: an address, or the map itself as a data URL; undefined
 * if there is none.
 */
export const mapReference = (text: string): string | undefined =>
  [...text.matchAll(MAP)].at(-1)?.[1];

/**
 * Reads the map to which a served text refers.
 * @param path the path of the text, with its query
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

/** Whether an address of the app was added by a dev server or the gateway. */
export const isForeign = (pathname: string): boolean => FOREIGN.test(pathname);

/** A source in a map as a path of the project; undefined if it is none. */
export function fileOf(source: string, pathname: string): string | undefined {
  try {
    const read = readProjectPath(namedBy(source, pathname));
    return read.ok && read.path !== "" && !FOREIGN.test(`/${read.path}`) ? read.path : undefined;
  } catch {
    // The source is neither a valid name nor an address.
    return undefined;
  }
}

/**
 * The path that a map's source names, below the project. @throws URIError, TypeError if the source is neither a name
 * nor an address
 */
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
