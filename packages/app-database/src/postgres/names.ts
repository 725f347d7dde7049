/** What an app's database is called, and who it belongs to. */
export interface DatabaseNames {
  database: string;
  /** One for the preview and one for all releases: what is copied for the next release stays theirs. */
  role: string;
}

/** @param sandbox the project's id, or that of one of its releases (`ID-release-3`, `ID-release-3-tried`); see `sandboxName` */
export function databaseNames(sandbox: string): DatabaseNames {
  const [project = "", release] = sandbox.split("-release-");
  return release === undefined
    ? { database: `treadle_${project}_preview`, role: `treadle_${project}_preview` }
    : { database: `treadle_${project}_release_${release}`, role: `treadle_${project}_published` };
}

/** How the names of the databases begin that are thrown away with a copy of the project. */
export const copyBeginning = (project: string): string => `treadle_${project}_copy_`;

/** The project that a sandbox is of. */
export const projectOf = (sandbox: string): string => sandbox.split("-release-", 1)[0]!;

/** The project that a database is of; undefined of one that is no app's. */
export const projectOfDatabase = (database: string): string | undefined =>
  /^treadle_(.+)_(?:preview|release_.+|copy_[0-9a-f]+)$/.exec(database)?.[1];

/** All that may be there of a project: names of databases begin so, and these are its roles. */
export const namesOfProject = (project: string): { beginnings: string[]; roles: string[] } => ({
  beginnings: [`treadle_${project}_preview`, `treadle_${project}_release_`, copyBeginning(project)],
  roles: [`treadle_${project}_preview`, `treadle_${project}_published`],
});
