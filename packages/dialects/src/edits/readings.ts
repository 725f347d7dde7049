import { decodeEntities } from "../text/entities.ts";

/** An alternative reading of an edit that does not match as written, or why it is ambiguous. */
export interface EditReading {
  old: string;
  new: string;
  /** Why the new text cannot be read in the same way. */
  problem?: string;
  /** The line, from 0, that the old text states; it has to match there. */
  line?: number;
}

const NUMBERED = /^[^\S\n]*(\d+)( ?\||\t| ?→|:)( ?)(.*)$/;
const FENCED = /^\s*(`{3,})[^\n`]*\n([^]*?\n)?[^\S\n]*\1\s*$/;
const RAW = /[<>]|&(?!\w+;|#\d+;)/;

/**
 * Other readings of an edit: without a fence around its texts, without copied line numbers, and with its entities
 * decoded.
 */
export function otherReadings(old: string, fresh: string): EditReading[] {
  const from = withoutFence(old);
  const to = from === old ? fresh : withoutFence(fresh);
  const bare = from === old ? undefined : { old: from, new: to };
  const readings = [bare, withoutNumbers(from, to), withoutEntities(from, to)];
  return readings.filter((reading) => reading !== undefined);
}

const withoutFence = (text: string): string => text.replace(FENCED, "$2");

/** Strips line numbers if every line has a consecutive one with the same separator. */
function withoutNumbers(old: string, fresh: string): EditReading | undefined {
  const numbered = (text: string) =>
    text.replace(/\n$/, "").split("\n").map((line) => NUMBERED.exec(line)); // prettier-ignore
  const read = numbered(old);
  const [first] = read;
  if (!first || read.some((one, at) => one?.[2] !== first[2] || +one![1]! !== +first[1]! + at))
    return undefined;
  // A blank after the separator is stripped if every non-blank line has one.
  const blank = read.every((one) => one![4] === "" || one![3] !== "") ? " " : "";
  const plain = (one: RegExpExecArray) => (blank ? "" : one[3]!) + one[4]!;
  const wrote = numbered(fresh);
  const same = wrote.filter((one) => one?.[2] === first[2]).length;
  const isNumbered = same === wrote.length;
  const isMixed = !isNumbered && same > 0;
  const join = (lines: typeof read, text: string) =>
    lines.map((one) => plain(one!)).join("\n") + (text.endsWith("\n") ? "\n" : "");
  return {
    old: join(read, old),
    new: isNumbered ? join(wrote, fresh) : fresh,
    line: +first[1]! - 1,
    problem: isMixed ? "Only some lines of the new text have numbers." : undefined,
  };
}

/** Decodes an old text that contains entities but none of the characters that they stand for. */
function withoutEntities(old: string, fresh: string): EditReading | undefined {
  if (RAW.test(old) || decodeEntities(old) === old) return undefined;
  const isMixed = RAW.test(fresh) || (old.includes("&quot;") && fresh.includes('"'));
  return {
    old: decodeEntities(old),
    new: decodeEntities(fresh),
    problem: isMixed ? "The new text mixes entities and characters." : undefined,
  };
}
