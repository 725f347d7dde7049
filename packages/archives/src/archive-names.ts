/**
 * Decodes names in a ZIP that do not declare their encoding. Old archivers write them in the code
 * page of their computer, one for the whole archive. Each encoding that can represent the names is
 * a candidate; the most likely one is chosen by the frequency of its characters in its languages,
 * and by sequences of scripts.
 */

/**
 * One way to decode the names. Weights are natural logarithms of approximate character frequencies.
 */
interface Reading {
  readonly label: string;
  /** Each character is one byte. */
  readonly isSingle?: true;
  /** Undefined if the bytes are invalid in this encoding. */
  decode(bytes: Uint8Array): string | undefined;
  /**
   * The weight of a non-ASCII character, by its bytes (`trail` for the second of two) and its
   * decoded form.
   */
  weigh(lead: number, trail: number | undefined, character: string): number;
}

/** If two readings are closer than this (a factor of twenty), neither is chosen. */
const CLEAR = 3;
/** Number of bytes of names that are examined. */
const SAMPLE_BYTES = 64 * 1024;

/** Common kinds of characters, from often to hardly ever. */
const [KANA, HANGUL, COMMON, SYMBOL, RARE, NEVER] = [-5.9, -7.8, -8.5, -10, -12.5, -15];
const ASCII = -3.5;
/** One script directly after another, as in no word. */
const MIXED = -4;
/** Two accented letters in a row. */
const TWO_ACCENTS = -1.5;

/** The weights of a two-byte encoding by ranges of lead bytes. */
const byLead =
  (...steps: readonly (readonly [last: number, weight: number])[]) =>
  (lead: number, trail = 0): number => {
    // Plane of the later, larger encodings of the same country.
    if (trail < 0xa1) return NEVER;
    return steps.find(([last]) => lead <= last)?.[1] ?? NEVER;
  };

const bytesOf = (encoding: string) => (bytes: Uint8Array) => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The upper half of the original IBM PC's code page, which no `TextDecoder` supports. */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

const decodeCp437 = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80])).join(
    "",
  );

const weighLatin = (_lead: number, _trail: unknown, character: string) => {
  if (/[äöüßéèàçñáíóåøæ]/i.test(character)) return KANA;
  return /\p{Script=Latin}/u.test(character) ? HANGUL : RARE;
};
const weighCyrillic = (_lead: number, _trail: unknown, character: string) =>
  /[а-яё]/i.test(character) ? -4.2 : RARE;

function weighShiftJis(lead: number, trail: number | undefined): number {
  // Half-width katakana, of one byte.
  if (trail === undefined) return SYMBOL;
  if ((lead === 0x82 && trail >= 0x9f) || (lead === 0x83 && trail <= 0x96)) return KANA;
  if (lead === 0x81 || lead === 0x82) return SYMBOL;
  if (lead >= 0x88 && lead <= 0x98) return COMMON;
  return lead > 0xea ? NEVER : RARE;
}

function weighBig5(lead: number): number {
  if (lead >= 0xa4 && lead <= 0xc6) return COMMON;
  if (lead < 0xa1) return NEVER;
  return lead <= 0xa3 ? SYMBOL : RARE;
}

const READINGS: readonly Reading[] = [
  { label: "Shift-JIS", decode: bytesOf("shift_jis"), weigh: weighShiftJis },
  {
    label: "GBK",
    decode: bytesOf("gbk"),
    weigh: byLead([0xa0, NEVER], [0xa3, SYMBOL], [0xaf, RARE], [0xd7, COMMON], [0xf7, RARE]),
  },
  {
    label: "EUC-KR",
    decode: bytesOf("euc-kr"),
    weigh: byLead([0xa0, NEVER], [0xaf, SYMBOL], [0xc8, HANGUL], [0xfd, RARE]),
  },
  { label: "Big5", decode: bytesOf("big5"), weigh: weighBig5 },
  {
    label: "EUC-JP",
    decode: bytesOf("euc-jp"),
    weigh: byLead(
      [0x8f, NEVER],
      [0xa3, SYMBOL],
      [0xa5, KANA],
      [0xaf, NEVER],
      [0xcf, COMMON],
      [0xf4, RARE],
    ),
  },
  { label: "CP437", isSingle: true, decode: decodeCp437, weigh: weighLatin },
  { label: "Windows-1252", isSingle: true, decode: bytesOf("windows-1252"), weigh: weighLatin },
  { label: "CP866", isSingle: true, decode: bytesOf("ibm866"), weigh: weighCyrillic },
  { label: "Windows-1251", isSingle: true, decode: bytesOf("windows-1251"), weigh: weighCyrillic },
];

/**
 * How to decode an archive's names: one way, or two that are about equally likely, with an example
 * of each.
 */
export type ReadNames =
  | { readonly label: string; decode(bytes: Uint8Array): string }
  | { readonly either: readonly { label: string; example: string }[] };

/**
 * Decides how to decode names that are not UTF-8.
 * @param names at least one
 */
export function readingOf(names: readonly Uint8Array[]): ReadNames {
  const sample = sampleOf(names);
  const found = READINGS.flatMap((reading) => {
    const { label, decode } = reading;
    if (names.some((name) => decode(name) === undefined)) return [];
    const texts = sample.map((name) => decode(name)!);
    const weight = texts.reduce(
      (sum, text, index) => sum + weightOf(text, sample[index]!, reading),
      0,
    );
    return [
      { label, decode: (bytes: Uint8Array) => decode(bytes)!, text: texts.join("\n"), weight },
    ];
  }).toSorted((a, b) => b.weight - a.weight);
  const [best] = found as [(typeof found)[number]];
  // A reading with the same result is not an alternative.
  const next = found.find(({ text }) => text !== best.text);
  if (!next || best.weight - next.weight >= CLEAR) return best;
  const [example] = names as [Uint8Array];
  return { either: [best, next].map(({ label, decode }) => ({ label, example: decode(example) })) };
}

function sampleOf(names: readonly Uint8Array[]): readonly Uint8Array[] {
  let bytes = 0;
  return names.filter((name, index) => {
    bytes += name.length;
    return index === 0 || bytes <= SAMPLE_BYTES;
  });
}

/** The script of a letter, as far as it shows whether two belong in one word. */
type Script = "latin" | "accent" | "other" | undefined;

/** The likelihood of a name in a reading. */
function weightOf(text: string, bytes: Uint8Array, { isSingle, weigh }: Reading): number {
  let weight = 0;
  let at = 0;
  let before: Script;
  for (const character of text) {
    const [lead = 0, second] = bytes.subarray(at, at + 2);
    const size = isSingle ? 1 : sizeOf(lead, second, character);
    if (lead < 0x80) weight += ASCII;
    else weight += size > 2 ? NEVER : weigh(lead, size === 2 ? second : undefined, character);
    const script = scriptOf(character, lead);
    if (before === "accent" && script === "accent") weight += TWO_ACCENTS;
    else if (before && script && (before === "other") !== (script === "other")) weight += MIXED;
    before = script;
    at += size;
  }
  return weight;
}

/** Length of a character in an East Asian encoding: one byte, two, or four in GB 18030. */
function sizeOf(lead: number, second: number | undefined, character: string): number {
  if (lead < 0x80) return 1;
  const isHalfWidth = lead >= 0xa1 && /[\uff61-\uff9f]/.test(character);
  if (isHalfWidth) return 1;
  return second !== undefined && second >= 0x30 && second <= 0x39 ? 4 : 2;
}

function scriptOf(character: string, lead: number): Script {
  if (!/\p{Letter}/u.test(character)) return undefined;
  if (lead < 0x80) return "latin";
  return /\p{Script=Latin}/u.test(character) ? "accent" : "other";
}
