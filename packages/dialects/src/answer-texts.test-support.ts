/** Building blocks for the texts of real answers, and of made-up ones. */
export interface RealAnswer {
  shape: string;
  /** How often it occurred, and in how many examined answers. */
  met: string;
  dialect: "artifact" | "tags";
  text: string;
  /** Every file that it writes, with its content. */
  files: Record<string, string>;
  deleted?: readonly string[];
  /** Part of it may have been intended but is not executed, which is reported. */
  isTold?: boolean;
  /** Every command that it runs, in order. */
  commands?: readonly string[];
}

export const PAGE =
  '<!doctype html><html lang="en"><head><title>T</title></head><body><h1>Hello</h1></body></html>\n';
export const inArtifact = (inside: string) =>
  `<boltArtifact id="a" title="A">\n${inside}</boltArtifact>\n`;
export const file = (content: string, path = "index.html") =>
  `<boltAction type="file" filePath="${path}">\n${content}</boltAction>\n`;
export const write = (name = "write_file", more = "") =>
  `<${name}>\n<path>index.html</path>\n<content>\n${PAGE}</content>\n${more}</${name}>\n`;

export const artifact = (
  shape: string,
  met: string,
  text: string,
  more: Partial<RealAnswer> = {},
): RealAnswer => ({
  shape,
  met,
  dialect: "artifact",
  text,
  files: { "index.html": PAGE },
  ...more,
});
export const tags = (
  shape: string,
  met: string,
  text: string,
  more: Partial<RealAnswer> = {},
): RealAnswer => ({ ...artifact(shape, met, text), dialect: "tags", ...more });
