import { isOwnCookie } from "./own-cookies.ts";

/**
 * Rewrites a cookie of a previewed app for the browser; undefined if it is not allowed. Limits it
 * to the preview's own host (A13), and makes it usable in a frame of another site, partitioned by
 * the embedding site. Parsed by hand, because hono's helper only reads names and values, and
 * everything else has to be passed on unchanged.
 */
export function previewCookie(line: string, host: string): string | undefined {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const name = pair.includes("=") ? pair.slice(0, pair.indexOf("=")) : "";
  // Without a name, browsers parse one from the value.
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
