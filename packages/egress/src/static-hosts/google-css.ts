/**
 * Parses requests for Google's style sheets of fonts, and creates such sheets from npm packages.
 */

/** Maximum number of families in one request. */
const FAMILIES = 20;

export interface WantedFamily {
  /** `Roboto Mono`. */
  family: string;
  /** Whether a single file with all weights is requested. */
  variable: boolean;
  styles: { weight: number; italic: boolean }[];
}

/** Parses `/css2?family=…` and the older `/css?family=…|…`. Undefined for other addresses. */
export function readGoogleCss(url: URL): { families: WantedFamily[]; display: string } | undefined {
  if (url.pathname !== "/css2" && url.pathname !== "/css") return undefined;
  const asked = url.searchParams.getAll("family");
  const texts = url.pathname === "/css" ? asked.flatMap((text) => text.split("|")) : asked;
  const families = texts.slice(0, FAMILIES).flatMap((text) => {
    const [family = "", spec = ""] = text.split(":");
    if (!/^[\w ]{1,60}$/.test(family)) return [];
    return [{ family, ...(url.pathname === "/css" ? readOldStyles(spec) : readStyles(spec)) }];
  });
  const display = url.searchParams.get("display") ?? "";
  return { families, display: /^[a-z]{1,10}$/.test(display) ? display : "auto" };
}

/** `ital,wght@0,400;1,100..900` */
function readStyles(spec: string): Omit<WantedFamily, "family"> {
  const [names = "", tuples = ""] = spec.split("@");
  const axes = names.split(",");
  const [italicAt, weightAt] = [axes.indexOf("ital"), axes.indexOf("wght")];
  const styles = tuples.split(";").map((tuple) => {
    const values = tuple.split(",");
    return {
      weight: Number.parseInt(values[weightAt] ?? "400", 10) || 400,
      italic: values[italicAt] === "1",
    };
  });
  return { variable: tuples.includes(".."), styles };
}

/** `400,700i` and `400italic` */
function readOldStyles(spec: string): Omit<WantedFamily, "family"> {
  const styles = (spec || "400").split(",").map((word) => ({
    weight: Number.parseInt(word, 10) || (/^b/i.test(word) ? 700 : 400),
    italic: /i/i.test(word.replace(/^\d+/, "")),
  }));
  return { variable: false, styles };
}

/**
 * Converts a style sheet of a package to Google's format: under the family's own name, each face
 * with its subset in a comment before it, which Next reads.
 * @param place address of the package's files, with a trailing slash
 */
export function asGoogleCss(
  sheet: string,
  { family, id, display, place }: { family: string; id: string; display: string; place: string },
): string {
  const faces = sheet.match(/@font-face\s*\{[^{}]*\}/g) ?? [];
  return faces
    .map((face) => {
      const file = /url\(\.?\/?files\/([\w.[\]-]+\.woff2)\)/.exec(face)?.[1];
      if (file === undefined) return "";
      const subset = file
        .replace(`${id}-`, "")
        .replace(/-(?:[a-z]+|\d+)-(?:normal|italic)\.woff2$/, "");
      const body = face
        .replace(/font-family:[^;:]*;/, `font-family: '${family}';`)
        .replace(/font-display:[^;:]*;/, `font-display: ${display};`)
        .replace(/src:[^;}]*;?/, `src: url(${place}${file}) format('woff2');`);
      return `/* ${subset} */\n${body}\n`;
    })
    .join("");
}
