const OWN = /^TREADLE_/;

/**
 * Takes the white space from around what our variables say, such as the line break of a file that was written on Windows. One
 * that says nothing is as if it were not set: read as a number it would be 0, which is “never” or “no limit” for some.
 */
export function tidyOwnVariables(env: NodeJS.ProcessEnv): void {
  for (const [name, value = ""] of Object.entries(env)) {
    if (!OWN.test(name)) continue;
    const trimmed = value.trim();
    if (trimmed === "") delete env[name];
    else env[name] = trimmed;
  }
}
