import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const WORKSPACE = {
  "workspace-path": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-missing": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-exists": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-not-a-file": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-not-a-folder": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-conflict": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-too-large": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-no-space": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-read-only": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-port": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-stopped": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-sandbox": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-full": ({ detail }: { detail: Value }) => `${detail}`,
  "workspace-failed": ({ detail }: { detail: Value }) => `${detail}`,
  "path-missing": ({ path }: { path: Value }) => `${path} does not exist`,
  "path-exists": ({ path }: { path: Value }) => `${path} exists already`,
  "path-is-folder": ({ path }: { path: Value }) => `${path} is a folder`,
  "path-below-file": ({ path }: { path: Value }) => `a part of ${path} is not a folder`,
  "path-through-link": ({ path }: { path: Value }) =>
    `${path} goes through a link, which is not followed`,
  "path-is-link": ({ path }: { path: Value }) => `${path} is a link, which is not followed`,
  "path-no-space": ({ path }: { path: Value }) =>
    `there is no space left to write ${path}; it stands as it was`,
  "path-read-only": ({ path }: { path: Value }) => `${path} may not be written`,
  "path-would-be-too-large": ({ path }: { path: Value }) =>
    `${path} would be larger than a file may be here; it stands as it was`,
  "path-name-too-long": ({ path }: { path: Value }) => `${path} is too long for a name`,
  "path-disk-failed": ({ path }: { path: Value }) =>
    `the disk failed at ${path}; it stands as it was`,
  "path-failed": ({ path, why }: { path: Value; why: Value }) => `${path}: ${why}`,
  "path-invalid": ({ path, reason }: { path: Value; reason: Value }) => `${path} ${reason}`,
  "path-overlong": () => "is too long for a path",
  "path-with-nul": () => "holds a NUL character",
  "path-absolute": () => "is an absolute path; paths are relative to the project",
  "path-with-backslash": () => "holds a backslash; parts of a path are separated by /",
  "path-percent-encoded": () => "is percent-encoded",
  "path-outside": () => "leaves the project",
  "path-part-overlong": () => "has a name over 255 bytes",
  "path-changed": ({ path }: { path: Value }) =>
    `${path} was changed by somebody else; nothing was changed`,
  "path-gone": ({ path }: { path: Value }) => `${path} is gone; nothing was changed`,
  "path-changed-not-removed": ({ path }: { path: Value }) =>
    `${path} was changed meanwhile. It was not removed.`,
  "path-not-written-through": ({ path }: { path: Value }) =>
    `${path} is a link or a device and is not written through`,
  "path-not-plain": ({ path }: { path: Value }) => `${path} is not a plain file and is not opened`,
  "path-over-limit": ({ limit, path, size }: { limit: Value; path: Value; size: Value }) =>
    `${path} has ${size} bytes; the limit is ${limit}`,
  "path-of-git": ({ path }: { path: Value }) => `${path} belongs to git and is not changed`,
  "path-into-itself": ({ path }: { path: Value }) => `${path} cannot be moved into itself`,
  "path-became-shorter": ({ path }: { path: Value }) => `${path} became shorter while it was read`,
  "path-without-history": () => "a name with a line break in it has no history here",
  "project-folder-not-file": () => "the project's folder is not a file",
  "project-too-many-files": ({ limit }: { limit: Value }) =>
    `the project has more than ${limit} files`,
  "checkpoint-thinned": ({ name }: { name: Value }) =>
    `the checkpoint ${name} was thinned out to save room, and is no longer available`,
  "checkpoint-unknown": ({ name }: { name: Value }) => `there is no checkpoint ${name}`,
  "checkpoint-not-named": ({ id }: { id: Value }) => `${id} is no checkpoint`,
  "checkpoint-store-failed": ({ why }: { why: Value }) =>
    `the checkpoint store could not be used: ${why}`,
  "checkpoint-store-lost": ({ hash }: { hash: Value }) => `the checkpoint store lost ${hash}`,
  "checkpoint-pack-unnamed": () => "git gave a pack no name",
  "checkpoint-file-changed": ({ path }: { path: Value }) =>
    `${path} changed while it was being kept`,
  "checkpoint-file-too-large": ({ limit, path }: { limit: Value; path: Value }) =>
    `${path} has more than ${limit} MB there`,
  "checkpoint-list-unreadable": ({ file, why }: { file: Value; why: Value }) =>
    `the list of checkpoints cannot be read (${why}); nothing of it was changed. It is ${file}: move it away to begin a new one, the files themselves are untouched`,
  "driver-unknown": ({ name }: { name: Value }) =>
    `TREADLE_DRIVER is “${name}”; it can be local or docker`,
  "driver-conflict": () => "TREADLE_DRIVER=docker and --unsafe-no-sandbox exclude each other",
  "managers-full": ({ folder, limit, name }: { folder: Value; limit: Value; name: Value }) =>
    `${name} is not fetched: there are ${limit} package managers in ${folder} already. Remove those that no project needs.`,
  "manager-not-fetched": ({ name, why }: { name: Value; why: Value }) =>
    `${name} could not be fetched: ${why}`,
  "prepared-folder-missing": ({ folder }: { folder: Value }) =>
    `what was prepared left no folder ${folder}`,
  "dependencies-removed": () => "the prepared dependencies were removed",
  "dependencies-not-placed": ({ why }: { why: Value }) =>
    `the prepared dependencies could not be put in place: ${why}`,
  "templates-not-prepared": ({ why }: { why: Value }) => `${why}`,
  "treadle-not-built": () => "Treadle is not built: run npm run build",
  "docker-not-allowed": () => "this user may not use Docker; add it to the docker group",
  "docker-not-answering": () => "Docker does not answer; start Docker, then try again",
  "docker-system": ({ system }: { system: Value }) =>
    `Docker runs ${system} containers; Treadle needs Linux ones`,
  "docker-architecture": ({ architecture }: { architecture: Value }) =>
    `Docker runs on ${architecture}; Treadle knows amd64 and arm64`,
  "docker-image-build-failed": ({ base, image, why }: { base: Value; image: Value; why: Value }) =>
    `the image could not be built: ${why} (it needs ${base} and Debian's packages; where they cannot be reached, set TREADLE_DOCKER_BUILD_NETWORK=host or TREADLE_DOCKER_BASE to a copy, or bring ${image} from another machine with docker save and docker load)`,
  "docker-build-silent": ({ minutes }: { minutes: Value }) =>
    `the engine reported nothing for ${minutes} minutes`,
  "copy-not-proven": () => "a copy is not proven: its project is",
  "copies-unsupported": () => "this machine makes no copies",
  "sandbox-not-started": ({ why }: { why: Value }) => `the sandbox did not start: ${why}`,
  "sandbox-start-late": ({ seconds }: { seconds: Value }) =>
    `it was not ready after ${seconds} seconds`,
  "sandbox-start-ended": () => "it ended before it was ready",
  "guest-other-version": ({ guest, server }: { guest: Value; server: Value }) =>
    `the guest is of another build of Treadle than the server (it speaks version ${guest} of their language, the server ${server}): build both anew with \`npm run build\``,
  "sandbox-unavailable": ({ why }: { why: Value }) => `no sandbox can be had: ${why}`,
  "sandbox-ended": () => "the sandbox has ended",
  "sandbox-ended-reopens": () => "the sandbox ended; it is opened again when it is needed",
  "sandbox-ended-itself": () => "the sandbox ended by itself",
  "sandbox-message-too-large": ({ why }: { why: Value }) =>
    `a message to the sandbox is too large: ${why}`,
  "workspace-was-stopped": () => "this workspace was stopped",
  "workspace-stopping": () => "this workspace is being stopped",
  "project-ending": () => "the project is ending",
  "treadle-ending": () => "Treadle is ending.",
  "command-empty": () => "the command is empty",
  "command-with-nul": () => "the command holds a NUL character",
  "port-refuses": ({ port }: { port: Value }) => `port ${port} does not take connections`,
  "port-silent": ({ port }: { port: Value }) =>
    `nothing listens on port ${port} in this project's sandbox`,
  "port-not-project": ({ port }: { port: Value }) => `port ${port} is not the project's`,
  "port-silent-in-tab": ({ port }: { port: Value }) => `Nothing listens on ${port} in the tab.`,
  "app-without-port": () => "It listens on nothing.",
  "disk-limit-exceeded": ({
    limit,
    used,
    variable,
  }: {
    limit: Value;
    used: Value;
    variable: Value;
  }) =>
    `the project takes ${used} of the disk and may take ${limit} (${variable}); nothing was written. Remove some of its files first`,
  "app-data-too-large": ({ limit }: { limit: Value }) =>
    `the app's data is larger than ${limit} MB`,
  "app-data-changes": ({ file }: { file: Value }) => `${file} changes faster than it can be copied`,
  "search-failed": ({ why }: { why: Value }) => `the search could not be done: ${why}`,
  "search-program-missing": () => "ripgrep could not be started",
  "transfers-full": ({ limit }: { limit: Value }) => `${limit} files are being transferred already`,
  "transfer-ended": () => "this transfer has ended",
  "limit-invalid": ({
    least,
    text,
    unit,
    variable,
  }: {
    least: Value;
    text: Value;
    unit: Value;
    variable: Value;
  }) =>
    `${variable} is “${text}”; it has to be a number of ${unit === "megabytes" ? "megabytes" : unit === "processes" ? "processes" : unit === "cores" ? "cores" : unit === "projects" ? "projects" : "open files"}, ${least} or more`,
  "projects-full": ({ count, variable }: { count: number; variable: Value }) =>
    `${count === 1 ? "One project runs" : `${count.toLocaleString("en")} projects run`} already, as many as this machine is set up for (${variable}); published apps count too. This one was not started: close the page of another one, or set it higher.`,
  "postgres-not-fetched": ({ name, why }: { name: Value; why: Value }) =>
    `PostgreSQL could not be fetched (${name}): ${why}`,
  "postgres-not-for-machine": ({ version }: { version: Value }) =>
    `The programs of PostgreSQL ${version} cannot be fetched for this machine. Install it, or name its programs with TREADLE_POSTGRES_BIN.`,
  "postgres-links-invalid": () => "PostgreSQL's package lists links that are none of a library.",
  "postgres-data-not-made": ({ why }: { why: Value }) => `No PostgreSQL data could be made: ${why}`,
  "postgres-data-held": ({ folder }: { folder: Value }) =>
    `Another Treadle uses the PostgreSQL data in ${folder}.`,
  "postgres-not-started": ({ why }: { why: Value }) => `PostgreSQL did not start: ${why}`,
  "postgres-socket-path": ({ folder }: { folder: Value }) =>
    `The path of ${folder} is too long for a socket in it.`,
  "postgres-program-failed": ({ program, why }: { program: Value; why: Value }) =>
    `${program} does not run: ${why}`,
  "postgres-program-other": ({ program }: { program: Value }) =>
    `${program} is no PostgreSQL server.`,
  "postgres-setting-empty": ({ folder }: { folder: Value }) =>
    `TREADLE_POSTGRES_BIN is “${folder}”, which holds no programs “postgres” and “initdb”. Name the folder of a PostgreSQL server's programs, like /usr/lib/postgresql/17/bin.`,
  "postgres-setting-old": ({ least, version }: { least: Value; version: Value }) =>
    `TREADLE_POSTGRES_BIN holds PostgreSQL ${version}; ${least} or later is needed.`,
  "postgres-setting-differs": ({ made, version }: { made: Value; version: Value }) =>
    `The data of the apps' PostgreSQL were made by version ${made}, and TREADLE_POSTGRES_BIN holds ${version}. Name the programs of version ${made}, or move the folder postgres of the data folder away: the apps begin with empty databases then.`,
  "postgres-missing": () =>
    "There is no PostgreSQL on this machine, and none that could be fetched for it. Install PostgreSQL 14 or later, or name one with TREADLE_POSTGRES_BIN or TREADLE_APPS_DATABASE_URL.",
  "postgres-version-missing": ({ made }: { made: Value }) =>
    `The data of the apps' PostgreSQL were made by version ${made}, which this machine does not have and which cannot be fetched for it. Install it, or name its programs with TREADLE_POSTGRES_BIN.`,
  "repository-inside": () =>
    "the folder is the inside of a git repository, which cannot be protected there",
  "repositories-too-many": ({ count, limit }: { count: Value; limit: Value }) =>
    `the folder holds ${count} git repositories; more than ${limit} cannot be protected`,
  "tab-without-programs": () =>
    "No program can be spoken to where a project runs in a person's tab.",
};
