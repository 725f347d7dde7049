/** An invalid script: file, line, and what was expected there. */
export class ScriptError extends Error {
  /** From 1; 0 if it is not about a line. */
  readonly line: number;

  constructor(message: string, line = 0) {
    super(line > 0 ? `Line ${line}: ${message}` : message);
    this.name = "ScriptError";
    this.line = line;
  }
}
