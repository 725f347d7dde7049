/** What the texts of real answers, and of those that were only thought of, are made of. */
export interface RealAnswer {
  shape: string;
  /** How often, and in how many answers that were looked at. */
  met: string;
  dialect: "artifact" | "tags";
  text: string;
  /** Every file that it writes, with its content. */
  files: Record<string, string>;
  deleted?: readonly string[];
  /** Something in it may have been meant, and is not read: that is told. */
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
