import { isOwnCookie } from "./own-cookies.ts";

/**
 * A cookie of a previewed app as the browser may have it; undefined: it may not. Only for the preview's own host (A13),
 * and usable in a frame of another site, apart for each site that embeds it. By hand: hono's helper reads names and values,
 * and what else the app wrote has to reach the browser as it is.
 */
export function previewCookie(line: string, host: string): string | undefined {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const name = pair.includes("=") ? pair.slice(0, pair.indexOf("=")) : "";
  // Without a name, browsers read one out of the value.
  if (name.trim() === "" || isOwnCookie(pair) || isOwnCookie(name)) return undefined;
  const attributesLeft: string[] = [];
  for (const attribute of attributes) {
    const [key = "", value = ""] = attribute.split("=", 2).map((part) => part.trim());
    switch (key.toLowerCase()) {
      case "domain":
        if (value !== "" && value.replace(/^\./, "").toLowerCase() !== hostName(host))
          return undefined;
        break;
      case "":
      case "samesite":
      case "secure":
      case "partitioned":
        break;
      default:
        attributesLeft.push(attribute);
    }
  }
  return [pair, ...attributesLeft, "SameSite=None", "Secure", "Partitioned"].join("; ");
}

const hostName = (host: string) => host.replace(/:\d+$/, "").toLowerCase();
