/**
 * Git's environment; `gitDirectory` as seen by git. Reads no configuration except the store's own.
 */
export const gitEnvironment = (gitDirectory: string, path: string): Record<string, string> => ({
  PATH: path,
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_DIR: gitDirectory,
  GIT_AUTHOR_NAME: "Treadle",
  GIT_AUTHOR_EMAIL: "treadle@localhost",
  GIT_COMMITTER_NAME: "Treadle",
  GIT_COMMITTER_EMAIL: "treadle@localhost",
});
