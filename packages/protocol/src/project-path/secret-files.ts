const EXAMPLE = /\.(?:example|sample|template|dist)$/i;
/** Private keys and stores of them. */
const KEYS = /\.(?:pem|key|p12|pfx|kdbx)$/i;
/** Configuration that commonly holds a login or a token. */
const LOGINS = /^\.(?:envrc|npmrc|netrc|yarnrc|pypirc)$/i;

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Whether it is `.env`, `.env.local` or another of the kind, in any folder and in any case; examples are included. */
export function isEnvironmentFile(path: string): boolean {
  return /^\.env(?:\.|$)/i.test(nameOf(path));
}

/**
 * Whether it is an environment file with real values: not `.env.example`, which shows others what
 * to fill in.
 */
export function holdsEnvironment(path: string): boolean {
  return isEnvironmentFile(path) && !EXAMPLE.test(path);
}

/** Whether it is a key, or a file that commonly holds a login. */
export function isKeyFile(path: string): boolean {
  const name = nameOf(path);
  return KEYS.test(name) || LOGINS.test(name);
}

/** Whether its content is private, judged by its name: no model sees it unless asked to. */
export function holdsSecrets(path: string): boolean {
  return holdsEnvironment(path) || isKeyFile(path);
}
