/** A route that a framework derives from a file's name, and the handler in it. */
export interface FileRoute {
  method: string;
  path: string;
  index: number;
}

const METHOD = "GET|POST|PUT|PATCH|DELETE";
/** `export const GET`, `export async function POST`, `export { handler as GET }`. */
const EXPORTED = new RegExp(`\\bexport\\s+(?:async\\s+)?(?:function|const|let)\\s+(${METHOD})\\b|(?<=\\bexport\\s{1,4}\\{[^{}]{0,300})\\bas\\s{1,4}(${METHOD})\\b`, "g"); // prettier-ignore
/** `export async function loader`, `export const action`. */
const REMIX =
  /\bexport\s+(?:async\s+)?(?:function|const|let)\s+(?:(loader|clientLoader)|(action|clientAction))\b/g;
const NAMED = new RegExp(`["'\`](${METHOD})["'\`]`, "gi");
/** Signs that a handler reads a body. */
const TAKES = /\breadBody\(|\breadValidatedBody\(|\breadFormData\(|\breadMultipartFormData\(/;

const exported = (text: string) =>
  [...text.matchAll(EXPORTED)].map(({ 1: one, 2: other, index }) => ({ method: (one ?? other)!, index })); // prettier-ignore

const namedIn = (text: string) => [...new Set([...text.matchAll(NAMED)].map(([, method = ""]) => method.toUpperCase()))]; // prettier-ignore

const atStart = (methods: Iterable<string>) => [...methods].map((method) => ({ method, index: 0 }));

/** The address and methods of a route file, by the form of its name. */
const KINDS: [shape: RegExp, methods: (text: string, address: string) => { method: string; index: number }[]][] = [
  // Next.js, SvelteKit, Astro
  [/^(?:.*\/)?(?:src\/)?app\/(?:(.+)\/)?route\.[jt]sx?$/, exported],
  [/^(?:.*\/)?src\/routes\/(?:(.+)\/)?\+server\.[jt]s$/, exported],
  [
    /^(?:.*\/)?pages\/(api\/.+?)(?:\/index)?\.[jt]s$/,
    (text) => {
      const methods = exported(text);
      return methods.length > 0 ? methods : atStart(namedIn(text));
    },
  ],
  // Nuxt and Nitro: `notes.post.ts`
  [/^(?:.*\/)?server\/(?:routes\/)?((?<=routes\/).+?|(?<!routes\/)api\/.+?)(?:\/index)?\.(?:get|post|put|patch|delete)\.[jt]s$/, (_, file) => atStart([/\.(\w+)\.[jt]s$/.exec(file)![1]!.toUpperCase()])], // prettier-ignore
  [/^(?:.*\/)?server\/(?:routes\/)?((?<=routes\/).+?|(?<!routes\/)api\/.+?)(?:\/index)?(?<!\.(?:get|post|put|patch|delete|head|options))\.[jt]s$/, (text) => atStart(new Set(["GET", ...namedIn(text), ...(TAKES.test(text) ? ["POST"] : [])]))], // prettier-ignore
]; // prettier-ignore

/** The route in the name of a Remix file, with dots for slashes: `routes/api.customers.ts`. */
export function flatPath(file: string): string | undefined {
  const [, flat] = /^(?:.*\/)?app\/routes\/([^/]+)(?:\/route)?\.[jt]sx?$/.exec(file) ?? [];
  return flat === undefined
    ? undefined
    : `/${flat
        .split(".")
        .filter((part) => !part.startsWith("_"))
        .map((part) => part.replace(/_$/, ""))
        .join("/")
        .replaceAll("$", ":")}`;
}

/** The routes that frameworks derive from a file's name. */
export function fileRoutes(file: string, text: string): FileRoute[] {
  for (const [shape, methods] of KINDS) {
    const match = shape.exec(file);
    if (match) return methods(text, file).map((one) => ({ ...one, path: `/${match[1] ?? ""}` }));
  }
  const flat = flatPath(file);
  if (flat === undefined) return [];
  return [...text.matchAll(REMIX)].flatMap(({ 1: reads, index }) => {
    if (reads !== undefined) return [{ method: "GET", path: flat, index }];
    const methods = namedIn(text).filter((method) => method !== "GET");
    return (methods.length > 0 ? methods : ["POST"]).map((method) => ({ method, path: flat, index }));
  }); // prettier-ignore
}
