/** Colour spaces with their own CSS function, and those named in `color()`. */
const FUNCTIONS = new Set(["hsl", "hwb", "lab", "lch", "oklab", "oklch"]);
const NAMED_SPACES = new Set([
  "srgb",
  "srgb-linear",
  "display-p3",
  "a98-rgb",
  "prophoto-rgb",
  "rec2020",
  "xyz-d65",
  "xyz-d50",
]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);

/** A token's value as CSS; undefined if it cannot be one. */
export function writeValue(type: string, value: unknown): string | undefined {
  if (type === "color") return typeof value === "string" ? value.trim() : writeColour(value);
  if (type === "fontFamily" || type === "fontFamilies") return writeFamilies(value);
  return writeLength(value);
}

function writeColour(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { colorSpace, components, alpha = 1, hex } = value;
  if (!isNumber(alpha)) return undefined;
  if (colorSpace === "srgb" && typeof hex === "string" && alpha === 1) return hex;
  if (!Array.isArray(components) || components.length !== 3) return undefined;
  if (!components.every((one) => isNumber(one) || one === "none")) return undefined;
  const space = String(colorSpace);
  // hsl() and hwb() take percentages; the format has plain numbers.
  const isPercent = space === "hsl" || space === "hwb";
  const parts = components.map((one, index) =>
    isPercent && index > 0 && one !== "none" ? `${one}%` : `${one}`,
  );
  const numbers = `${parts.join(" ")}${alpha === 1 ? "" : ` / ${alpha}`}`;
  if (FUNCTIONS.has(space)) return `${space}(${numbers})`;
  return NAMED_SPACES.has(space) ? `color(${space} ${numbers})` : undefined;
}

function writeFamilies(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim();
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (!value.every((one) => typeof one === "string" && !/["\\]/.test(one))) return undefined;
  return value.map((one: string) => (/^[A-Za-z][\w-]*$/.test(one) ? one : `"${one}"`)).join(", ");
}

/** A length as CSS: Tokens Studio writes pixels as bare numbers. Undefined if the value is no length. */
function writeLength(value: unknown): string | undefined {
  if (isNumber(value)) return `${value}px`;
  if (
    isRecord(value) &&
    isNumber(value["value"]) &&
    /^(?:px|rem|em|%)$/.test(String(value["unit"]))
  )
    return `${value["value"]}${String(value["unit"])}`;
  if (typeof value !== "string") return undefined;
  const written = value.trim();
  if (/^-?\d*\.?\d+$/.test(written)) return `${written}px`;
  return /^-?\d*\.?\d+[a-z%]{1,4}$/i.test(written) ? written : undefined;
}
