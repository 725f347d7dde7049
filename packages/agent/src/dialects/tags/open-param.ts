import { PROSE_FILE } from "@treadle/dialects/meant";
import { lineEndOf, literally, type Opening } from "../go-on/opening.ts";
import type { TagTool } from "./tag-tools.ts";

/** The parameter with an unfinished value at the end of a text, or undefined if there is none. */
export function openParamOf(text: string, tools: readonly TagTool[]): Opening | undefined {
  const found = tools
    .map((tool) => ({ tool, at: text.lastIndexOf(`<${tool.name}>`) }))
    .reduce((last, one) => (one.at > last.at ? one : last), { at: -1 } as {
      at: number;
      tool?: TagTool;
    });
  const { at, tool } = found;
  if (!tool) return undefined;
  const params = [...tool.params.keys()].map(literally).join("|");
  // Earlier parameters are complete, and short.
  const written = new RegExp(
    String.raw`^<${tool.name}>(?:\s*<(${params})>[^]*?</\1>)*\s*<(${params})>[ \t]*\n?`,
  ).exec(text.slice(at));
  if (!written) return undefined;
  const [tags, , param] = written;
  const from = at + tags.length;
  if (text.includes(`</${param}>`, from)) return undefined;
  const same = tags
    .trim()
    .split(/(?<!\s)\s*(?=<)|(?<=>)\s*/)
    .map(literally)
    .join(String.raw`\s*`);
  return {
    around: "",
    tags,
    from,
    same: new RegExp(String.raw`^\s*${same}${lineEndOf(tags)}`),
    any: new RegExp(
      String.raw`^\s*<(?:${tools.map(({ name }) => literally(name)).join("|")})>\s*<(\w+)>[^]*?</\1>\s*</?\w+>`,
    ),
    begins: tools.map(({ name }) => `<${name.toLowerCase()}>`),
    isProse: PROSE_FILE.test(pathIn(tags)),
  };
}

/** The file's path in the tags; empty if there is none. */
function pathIn(tags: string): string {
  const from = tags.indexOf("<path>");
  const end = from === -1 ? -1 : tags.indexOf("</path>", from);
  return end === -1 ? "" : tags.slice(from + "<path>".length, end).trim();
}
