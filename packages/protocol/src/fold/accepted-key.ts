/** A file and what it became, as one key. */
export const acceptedKey = (path: string, version: string) => `${version}\0${path}`;
