/** The names of an app's database and its role. */
export interface DatabaseNames {
  database: string;
  /**
   * One for the preview and one for all releases, so that data copied to the next release still belongs to the same
   * role.
   */
  role: string;
}

/**
 * The names of an app's database and role.
 * @param sandbox the project's id, or that of one of its releases (`ID-release-3`, `ID-release-3-tried`); see
 * `sandboxName`
 */
export function databaseNames(sandbox: string): DatabaseNames {
  const [project = "", release] = sandbox.split("-release-");
  return release === undefined
    ? { database: `treadle_${project}_preview`, role: `treadle_${project}_preview` }
    : { database: `treadle_${project}_release_${release}`, role: `treadle_${project}_published` };
}

/** Prefix of the databases of a project's temporary copies. */
export const copyBeginning = (project: string): string => `treadle_${project}_copy_`;

/** The project of a sandbox. */
export const projectOf = (sandbox: string): string => sandbox.split("-release-", 1)[0]!;

/** The project of a database; undefined if it belongs to no app. */
export const projectOfDatabase = (database: string): string | undefined =>
  /^treadle_(.+)_(?:preview|release_.+|copy_[0-9a-f]+)$/.exec(database)?.[1];

/** Everything of a project that may exist: the prefix of its databases, and its roles. */
export const namesOfProject = (project: string): { beginnings: string[]; roles: string[] } => ({
  beginnings: [`treadle_${project}_preview`, `treadle_${project}_release_`, copyBeginning(project)],
  roles: [`treadle_${project}_preview`, `treadle_${project}_published`],
});
