const EXAMPLE = /\.(?:example|sample|template|dist)$/i;
/** Matches the names of private keys and key stores. */
const KEYS = /\.(?:pem|key|p12|pfx|kdbx)$/i;
/** Matches configuration files that commonly contain a login or a token. */
const LOGINS = /^\.(?:envrc|npmrc|netrc|yarnrc|pypirc)$/i;

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Whether a path is `.env`, `.env.local` or similar, in any folder and letter case; examples are included. */
export function isEnvironmentFile(path: string): boolean {
  return /^\.env(?:\.|$)/i.test(nameOf(path));
}

/** Whether a path is an environment file with real values: not `.env.example`, which shows others what to fill in. */
export function holdsEnvironment(path: string): boolean {
  return isEnvironmentFile(path) && !EXAMPLE.test(path);
}

/** Whether a path is a key, or a file that commonly contains a login. */
export function isKeyFile(path: string): boolean {
  const name = nameOf(path);
  return KEYS.test(name) || LOGINS.test(name);
}

/** Whether a file's content is private, judged by its name: models do not receive it unless the person agrees. */
export function holdsSecrets(path: string): boolean {
  return holdsEnvironment(path) || isKeyFile(path);
}
