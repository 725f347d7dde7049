/** The package in a chunk of its own, loaded only by a page that runs a project. */
export { WebContainer } from "@webcontainer/api";
