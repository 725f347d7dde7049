const OWN = /^TREADLE_/;

/**
 * Trims white space around Treadle's variables, such as the line break of a file written on Windows.
 * Blank ones count as unset: parsed as a number they would be 0, which means “never” or “no limit”
 * for some.
 */
export function tidyOwnVariables(env: NodeJS.ProcessEnv): void {
  for (const [name, value = ""] of Object.entries(env)) {
    if (!OWN.test(name)) continue;
    const trimmed = value.trim();
    if (trimmed === "") delete env[name];
    else env[name] = trimmed;
  }
}
