/** A script that cannot be read: which file, which line, what was expected there. */
export class ScriptError extends Error {
  /** From 1; 0 where it is not about a line. */
  readonly line: number;

  constructor(message: string, line = 0) {
    super(line > 0 ? `Line ${line}: ${message}` : message);
    this.name = "ScriptError";
    this.line = line;
  }
}
