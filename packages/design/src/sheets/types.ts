/** A file with style sheets. */
export interface StyleFile {
  path: string;
  text: string;
}

/** A range of a file, in characters. */
export interface Span {
  from: number;
  to: number;
}
